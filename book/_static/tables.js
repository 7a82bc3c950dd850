// Sorts a table by the column whose head is clicked. Without this script the table stays as it was written.
(function () {
  "use strict";
  const number = (text) => {
    const found = text.replace(/^[<>] /, "").replace(/−/g, "-").replace(/,/g, "").match(/^[-+]?\d*\.?\d+/);
    return found ? parseFloat(found[0]) : null;
  };

  function sort(table, column, down) {
    const body = table.tBodies[0];
    const key = (row) => row.cells[column].textContent.trim();
    const rows = Array.from(body.rows);
    rows.sort((a, b) => {
      const x = number(key(a)), y = number(key(b));
      if (x === null && y === null) return key(a).localeCompare(key(b)) * (down ? -1 : 1);
      if (x === null || y === null) return x === null ? 1 : -1; // what is not a number stays at the end
      return (x - y) * (down ? -1 : 1);
    });
    rows.forEach((row) => body.appendChild(row));
  }

  function enable(table) {
    const heads = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
  }

  // two rows of heads stand for groups that belong together as they are
  document.querySelectorAll("table.data-table").forEach((table) => {
    if (table.tHead.rows.length === 1 && table.tBodies[0].rows.length > 2) enable(table);
  });
})();
