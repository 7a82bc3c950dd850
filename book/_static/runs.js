// Puts what one recorded run said beside each pair, and finds pairs. Replies are untrusted: they enter as text alone.
(function () {
  "use strict";
  const root = document.querySelector(".run-browser");
  if (!root || !("DecompressionStream" in window)) return;
  const form = root.querySelector("form");
  const field = (name) => (form.elements[name] ? form.elements[name].value : "");
  const signs = { ordered: "✓", tie: "=", inversion: "✗", unusable: "∅" };
  const pairs = Array.from(root.querySelectorAll(".run-pair"), (details) => {
    const outcome = details.querySelector("summary").appendChild(document.createElement("span"));
    return { details, outcome, words: details.textContent.toLowerCase() };
  });
  const runs = new Map(); // number of a run → id of a pair → what the run said about it
  let said = new Map();

  function element(name, kind, text, parent) {
    const made = parent.appendChild(document.createElement(name));
    made.className = kind;
    made.textContent = text;
    return made;
  }

  async function load(number) {
    if (!runs.has(number)) {
      const link = root.querySelector(`a[data-run="${number}"]`);
      const bytes = Uint8Array.from(atob(link.href.split(",")[1]), (letter) => letter.charCodeAt(0));
      const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      const lines = (await new Response(plain).text()).split("\n").filter(Boolean);
      runs.set(number, new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.pair, one])));
    }
    return runs.get(number);
  }

  function outcome(one) {
    return one ? one.claim_side || "not asked" : "not asked";
  }

  function showReply(one, parent) {
    const box = element("div", "run-reply claim claim-" + one.claim, "", parent);
    const claim = one.claim === "safe" ? "Evidence-calibrated claim" : "Force-raised claim";
    const repeat = one.repeat ? `, repeat ${one.repeat + 1}` : "";
    element("p", "claim-label", `${claim}, ${one.passage} passage${repeat}`, box);
    const score = one.score === undefined ? "no score" : `score ${one.score.toFixed(2)}`;
    const seconds = one.seconds === undefined ? [] : [`${one.seconds.toFixed(2)} s`];
    element("p", "claim-verdict", [one.label || "no label", score, one.status, ...seconds].join(" · "), box);
    if (one.options) element("p", "claim-verdict", `Options in this order: ${one.options}`, box);
    for (const [name, title] of [["reply", "Reply"], ["earlier", "Unusable reply before"], ["refusal", "Refusal"], ["error", "Error"]]) {
      if (!one[name]) continue;
      if (name !== "reply") element("p", "claim-verdict", title, box);
      const text = element("pre", "run-text", one[name], box);
      text.dir = "auto";
      if (text.scrollHeight > text.clientHeight) text.tabIndex = 0; // so that the arrow keys can scroll it
      text.setAttribute("role", "group");
      text.setAttribute("aria-label", `${title}: ${claim}, ${one.passage} passage`);
    }
  }

  function fill(details) {
    details.querySelectorAll(".run-said").forEach((old) => old.remove());
    const one = said.get(details.dataset.pair);
    if (!one) return;
    const box = element("section", "run-said", "", details);
    const run = form.elements.run.selectedOptions[0].textContent;
    box.setAttribute("aria-label", `What run ${run} said`);
    element("p", "run-name", `Run ${run}`, box);
    for (const [side, name] of [["claim_side", "Claim side"], ["evidence_side", "Evidence side"]]) {
      if (one[side]) element("p", "pair-outcome outcome-" + one[side], `${name}: ${signs[one[side]]} ${one[side]}`, box);
    }
    const replies = element("div", "run-replies", "", box);
    one.replies.forEach((reply) => showReply(reply, replies));
  }

  function fits(pair, one) {
    const [axis, wanted, status, words] = ["axis", "outcome", "status", "words"].map(field);
    const replies = one ? one.replies : [];
    const text = () => pair.words + replies.map((reply) => `${reply.label} ${reply.reply} ${reply.error}`).join(" ").toLowerCase();
    return (!axis || pair.details.dataset.axis === axis)
      && (!wanted || outcome(one) === wanted)
      && (!status || replies.some((reply) => reply.status === status))
      && words.toLowerCase().split(/\s+/).every((word) => !word || text().includes(word));
  }

  async function show() {
    const number = field("run");
    form.setAttribute("aria-busy", "true");
    const found = number ? await load(number) : new Map();
    if (number !== field("run")) return; // another run was chosen meanwhile
    const changed = found !== said;
    said = found;
    let count = 0;
    for (const pair of pairs) {
      const one = said.get(pair.details.dataset.pair);
      pair.details.hidden = !fits(pair, one);
      count += pair.details.hidden ? 0 : 1;
      const word = outcome(one);
      pair.outcome.className = "run-outcome outcome-" + word.replace(" ", "-");
      pair.outcome.textContent = number ? ` ${signs[word] || "–"} ${word}` : "";
      if (changed && pair.details.open) fill(pair.details);
    }
    const asked = number && said.size < pairs.length ? `, ${said.size} asked in this run` : "";
    form.querySelector("output").textContent = `${count} of ${pairs.length} pairs${asked}`;
    form.setAttribute("aria-busy", "false");
  }

  function openNamed() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named && named.matches(".run-pair, .run-manifest")) {
      named.hidden = false;
      named.open = true;
      named.scrollIntoView();
    }
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", show);
  root.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches(".run-pair")) fill(event.target);
  }, true); // the event does not bubble
  window.addEventListener("hashchange", openNamed);
  show().then(openNamed);
})();
