// Prints MVR and FS for each provider once all questions are answered.
const { labels } = require('./task.json');

function rates(results) {
  const pairs = {};
  for (const { testCase, gradingResult } of results) {
    const { pair_id, passage, claim } = testCase.metadata;
    if (passage !== 'cited') continue;
    pairs[pair_id] ??= {};
    pairs[pair_id][claim] = labels[gradingResult?.componentResults?.[0]?.reason];
  }
  // An unusable or missing member makes NaN: a violation with margin 0.
  const margins = Object.values(pairs).map(({ safe, raised }) => safe - raised || 0);
  return {
    pairs: margins.length,
    mvr: margins.filter((margin) => margin <= 0).length / margins.length,
    fs: margins.reduce((sum, margin) => sum + margin, 0) / margins.length,
  };
}

module.exports = {
  rates,
  afterAll: ({ results }) => {
    const providers = {};
    for (const one of results) {
      const { id, label } = one.provider;
      (providers[label && label !== id ? `${id} (${label})` : id] ??= []).push(one);
    }
    for (const [provider, own] of Object.entries(providers)) {
      const { pairs, mvr, fs } = rates(own);
      console.log(`ForceBench: ${provider}: MVR ${mvr.toFixed(3)}, FS ${fs.toFixed(3)}, ${pairs} pairs`);
    }
  },
};
