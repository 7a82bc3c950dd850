// Draws each chart from the specification that lies beside it. Where this does not run, its SVG image stays.
(function () {
  "use strict";
  const root = document.documentElement;

  // A colour has one name and a value for each scheme, both in companion.css; read them from an element of that scheme.
  function palette(scheme) {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.dataset.theme = scheme;
    const style = getComputedStyle(probe);
    const names = style.getPropertyValue("--chart-colours").trim().split(/\s+/);
    const colours = names.map((name) => style.getPropertyValue("--" + name).trim().toLowerCase());
    probe.remove();
    return colours;
  }

  function recoloured(text) {
    const light = palette("light"), dark = palette("dark");
    return text.replace(/#[0-9a-f]{6}\b/gi, (colour) => dark[light.indexOf(colour.toLowerCase())] || colour);
  }

  function options(dark) {
    const [ink, , line, grid] = palette(dark ? "dark" : "light");
    const text = { labelColor: ink, titleColor: ink };
    const axis = { ...text, domainColor: line, tickColor: line, gridColor: grid };
    const config = { background: "transparent", axis: axis, header: text, legend: text, text: { color: ink },
      title: { color: ink, subtitleColor: ink } };
    return { mode: "vega-lite", renderer: "svg", actions: false, config: config, tooltip: { theme: dark ? "dark" : "light" } };
  }

  async function draw(chart, dark) {
    const text = chart.querySelector('script[type="application/json"]').textContent;
    const view = chart.querySelector(".vl-view");
    await vegaEmbed(view, JSON.parse(dark ? recoloured(text) : text), options(dark));
    chart.classList.add("vl-drawn");
    if (view.scrollWidth > view.clientWidth) view.tabIndex = 0; // so that the arrow keys can scroll it
  }

  function drawAll() {
    const dark = root.dataset.theme === "dark";
    document.querySelectorAll(".vl-chart").forEach((chart) => draw(chart, dark).catch(console.error));
  }

  drawAll();
  let drawn = root.dataset.theme;
  new MutationObserver(() => {
    if (root.dataset.theme !== drawn) { drawn = root.dataset.theme; drawAll(); }
  }).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
})();
