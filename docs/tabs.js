// Paragraphs "**Name** (file)", each above its block of code and one after the other, become tabs. The name that a reader chooses is shown
// on every page. Without scripts, and on paper, they stay below each other.
(() => {
    const kept = "dpfda-tab";
    const name = (head) => head.firstElementChild.textContent;
    const groups = [];
    for (const { parentElement: head } of document.querySelectorAll("main p > strong:first-child")) {
        if (head.nextElementSibling?.tagName !== "PRE" || !head.textContent.startsWith(`${name(head)} (`)) continue;
        const last = groups.at(-1);
        if (last?.at(-1).nextElementSibling.nextElementSibling === head) last.push(head);
        else groups.push([head]);
    }
    const tabs = groups.filter((heads) => heads.length > 1).map((heads) => {
        const row = document.createElement("div");
        row.className = "tabs";
        for (const head of heads) {
            const button = document.createElement("button");
            button.textContent = name(head);
            button.addEventListener("click", () => choose(name(head)));
            row.append(button);
            for (const part of [head, head.nextElementSibling]) part.classList.add("tab");
        }
        heads[0].before(row);
        return { heads, row };
    });
    function show(chosen) {
        for (const { heads, row } of tabs) {
            const shown = heads.find((head) => name(head) === chosen) ?? heads[0];
            heads.forEach((head, place) => {
                row.children[place].setAttribute("aria-pressed", head === shown);
                for (const part of [head, head.nextElementSibling]) part.hidden = head !== shown;
            });
        }
    }
    function choose(chosen) {
        try { localStorage.setItem(kept, chosen); } catch { /* the choice holds for this page */ }
        show(chosen);
    }
    let before = null;
    try { before = localStorage.getItem(kept); } catch { /* nothing is kept */ }
    show(before);
})();
