// Plays the steps of a computation graph from the data in #content. It makes no request and keeps nothing.
//
// Time is counted in steps: between k and k + 1 step k is under way; numbers travel until `arrival`, a part of a step,
// and then the cards show its result. The picture is a function of the data and the time: playing backwards, the
// slider and a jump need no replay. Texts from the data go into the page as text; formulas are MathML, made by Cadena.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("content").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const STEP_SECONDS = 0.6; // at speed 1
  const REST_SECONDS = 1.4; // a step while motion is reduced
  const TITLE = 30, VALUE = 28 / 58, WORD = 20, MAP_GAP = 8; // on a card; the value's part of the rest
  const FORMULA = 22, LEAST_FORMULA = 11; // of the type of formulas on cards
  const PLAY = "M5 3v14l11-7z", PAUSE = "M4 3h4v14H4zM12 3h4v14h-4z";
  const THEMES = ["auto", "light", "dark", "projector"];
  const count = data.steps.length;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const byId = (id) => document.getElementById(id);

  // --- small helpers

  const clamp = (number, low, high) => Math.min(Math.max(number, low), high);
  const ease = (part) => part * part * (3 - 2 * part); // slow at both ends

  function draw(parent, tag, attributes = {}, text = "") {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    parent.append(element);
    return element;
  }

  function add(parent, tag, text = "", className = "") {
    const element = document.createElement(tag);
    element.textContent = text;
    if (className) element.className = className;
    parent.append(element);
    return element;
  }

  // Formulas come as markup of MathML alone; the namespace makes the browser set them.
  const parsed = data.formulas.map((markup) => {
    const text = markup.replace("<math", '<math xmlns="http://www.w3.org/1998/Math/MathML"');
    return new DOMParser().parseFromString(text, "application/xml").documentElement;
  });
  const formula = (place) => document.importNode(parsed[place], true);

  // A sentence whose numbers are pairs of text and role.
  function tell(parent, pieces) {
    parent.replaceChildren();
    for (const piece of pieces) {
      if (typeof piece === "string") parent.append(piece);
      else add(parent, "span", piece[0]).dataset.role = piece[1];
    }
    return parent.textContent;
  }

  // A text that is set smaller where its room is too narrow.
  function write(parent, text, x, y, size, room, attributes = {}) {
    const element = draw(parent, "text", { x, y, "font-size": size, ...attributes }, text);
    const width = element.getComputedTextLength();
    if (width > room) element.setAttribute("font-size", Math.max((size * room) / width, 6));
    if (element.getComputedTextLength() > room + 2) element.setAttribute("textLength", room);
    return element;
  }

  // --- the graph, drawn once

  const bounds = data.nodes.reduce(
    (area, { box: [x, y, width, height], output }) => [
      Math.min(area[0], x - 30), Math.min(area[1], y - 44),
      Math.max(area[2], x + width + (output ? 64 : 30)), Math.max(area[3], y + height + 44),
    ],
    [0, 0, 300, 100],
  );
  for (const { box: [x, y, width, height] } of data.frames) widen(x - 8, y - 8, x + width + 8, y + height + 8);
  const stage = draw(byId("stage"), "svg", { "aria-hidden": "true" });
  for (const { title, box: [x, y, width, height], hue } of data.frames) {
    const group = draw(stage, "g", { class: hue === null ? "around grey" : "around" });
    if (hue !== null) group.style.setProperty("--hue", hue);
    draw(group, "rect", { x, y, width, height, rx: 16 });
    write(group, title, x + 18, y + 21, 15, width - 36);
  }
  data.notes.forEach(memo);
  const wires = data.wires.map(({ path, target }) => {
    const group = draw(stage, "g");
    const line = draw(group, "path", { class: "wire", d: path });
    const length = line.getTotalLength();
    const end = line.getPointAtLength(length);
    const arrow = draw(group, "path", { class: "arrow" });
    return { group, line, arrow, length, end, target, at: (fraction) => line.getPointAtLength(length * fraction) };
  });
  const cards = data.nodes.map((node) => {
    const [x, y, width, height] = node.box;
    const group = draw(stage, "g", { class: `node ${node.kind}`, transform: `translate(${x} ${y})` });
    const isLeaf = !["operation", "function"].includes(node.kind);
    const radius = isLeaf ? 18 : 9, inset = isLeaf && !node.shape ? 14 : 12;
    const ground = draw(group, "rect", { class: "ground", width, height, rx: radius });
    const middle = TITLE + (height - TITLE) * (node.shape ? 0.5 : VALUE);
    draw(group, "path", { class: "title", d: band(width, height, radius, 0, TITLE) });
    const rows = [[TITLE, middle], [middle, height]].map(([top, bottom]) => ({
      fill: draw(group, "path", { class: "fill", d: band(width, height, radius, top, bottom) }),
      line: draw(group, "path", { class: "hairline", d: `M0 ${top}h${width}` }),
      group: draw(group, "g"),
      ring: draw(group, "rect", { class: "ring", rx: 7, visibility: "hidden" }),
      room: { x: inset, y: top, width: width - 2 * inset, height: bottom - top },
      isArray: node.shape !== "",
    }));
    const box = draw(group, "rect", { class: "box", width, height, rx: radius });
    const kind = node.kind === "parameter" ? knobs(group, width - inset) : kindText(group, node, width - inset);
    const name = write(group, node.name, inset, 21, 16, Math.max(width - 2 * inset - kind - 6, 20), { class: "name" });
    const after = inset + name.getComputedTextLength() + 6;
    const shape = draw(group, "text", { class: "symbol shape", x: after, y: 21, "font-size": 12 }, node.shape);
    if (after + shape.getComputedTextLength() > width - inset - kind - 6) shape.remove();
    if (node.output) tab(group, width, radius);
    return { group, ground, box, rows, badge: null };
  });
  const notes = draw(stage, "g");
  const moving = draw(stage, "g");

  // The part of a rounded card between two heights.
  function band(width, height, radius, top, bottom) {
    const [over, under] = [top ? 0 : radius, bottom < height ? 0 : radius];
    const arc = (radius, x, y) => (radius ? `a${radius} ${radius} 0 0 1 ${x} ${y}` : "");
    return `M0 ${top + over}${arc(over, over, -over)}H${width - over}${arc(over, over, over)}V${bottom - under}` +
      `${arc(under, -under, under)}H${under}${arc(under, -under, -under)}z`;
  }

  function widen(left, top, right, bottom) {
    bounds[0] = Math.min(bounds[0], left);
    bounds[1] = Math.min(bounds[1], top);
    bounds[2] = Math.max(bounds[2], right);
    bounds[3] = Math.max(bounds[3], bottom);
  }

  // A note: lines of text, wrapped, and formulas among the words.
  function memo({ at: [x, y], lines }) {
    const holder = draw(stage, "foreignObject", { x, y, width: 316, height: 4000, class: "memo" });
    const sheet = add(holder, "div");
    for (const [isHeading, pieces] of lines) {
      const line = add(sheet, "p", "", isHeading ? "heading" : "");
      for (const piece of pieces) line.append(typeof piece === "string" ? piece : formula(piece));
    }
    const width = sheet.offsetWidth + 2, height = sheet.offsetHeight + 2;
    holder.setAttribute("width", width);
    holder.setAttribute("height", height);
    widen(x - 8, y - 8, x + width + 8, y + height + 8);
  }

  // The kind of a node at the right of its title. Both return its width.
  function kindText(group, { kind, symbol, box }, right) {
    const isWord = /^[\w ]+$/.test(symbol);
    const [text, size] = ["constant", "input"].includes(kind) ? [kind, 12] : [symbol, isWord ? 16 : 21];
    return write(group, text, right, 21, size, box[2] / 2, { class: "symbol", "text-anchor": "end" }).getComputedTextLength();
  }

  function knobs(group, right) { // two sliders, as training moves a parameter
    const left = right - 16;
    draw(group, "path", { class: "knobs", d: `M${left} 11h8M${left + 13.2} 11H${right}M${left} 19h2.8M${left + 8} 19H${right}` });
    draw(group, "circle", { class: "knobs", cx: left + 10.6, cy: 11, r: 2.6 });
    draw(group, "circle", { class: "knobs", cx: left + 5.4, cy: 19, r: 2.6 });
    return 16;
  }

  function tab(group, width, radius) {
    const [right, left] = [width - radius, width - radius - 62];
    draw(group, "path", { class: "tab", d: `M${left} 0v-16a6 6 0 0 1 6 -6H${right - 6}a6 6 0 0 1 6 6v16z` });
    draw(group, "text", { class: "tab-text", x: (left + right) / 2, y: -7, "font-size": 12, "text-anchor": "middle" }, "output");
  }

  // --- what cards and tokens hold: a text, an array as cells, or a formula

  function colour(level) {
    if (level === null) return "var(--fault)";
    return `color-mix(in srgb, var(--${level < 0 ? "low" : "high"}) ${Math.abs(level) * 100}%, var(--heat-zero))`;
  }

  // Black or white, whichever reads better on the ground of a cell.
  function ink(cell) {
    const fill = getComputedStyle(cell).fill, parts = fill.match(/[\d.]+/g).slice(0, 3).map(Number);
    const [red, green, blue] = parts.map((part) => (fill.startsWith("rgb") ? part / 255 : part)).map((part) => part ** 2.2);
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) ** 2 > 0.0525 ? "#000000" : "#ffffff";
  }

  function cells(group, look, { x, y, width, height }) {
    const rows = look.levels.length, columns = rows ? look.levels[0].length : 0;
    if (!rows || !columns) return;
    const wide = Math.min(width / columns, 84), tall = Math.min(height / rows, 26); // as in the window
    const left = x + (width - wide * columns) / 2, top = y + (height - tall * rows) / 2;
    const size = Math.min(tall * 0.78, 13);
    look.levels.forEach((line, row) => line.forEach((level, column) => {
      const cell = draw(group, "rect", { class: "cell", "data-role": look.role, x: left + column * wide, y: top + row * tall, width: wide, height: tall });
      cell.style.fill = colour(level);
      if (!look.texts || wide < 16 || tall < 8) return;
      const at = [left + (column + 0.5) * wide, top + (row + 0.5) * tall + size * 0.36];
      const text = write(group, look.texts[row][column], ...at, size, wide - 3, { "text-anchor": "middle" });
      text.style.fill = ink(cell);
    }));
    draw(group, "rect", { class: "frame", "data-role": look.role, x: left, y: top, width: wide * columns, height: tall * rows });
    draw(group, "title", {}, look.text);
  }

  // The first of ever shorter formulas that can be read in its room, as large as that allows. Returns its size.
  function fitted(group, look, { x, y, width, height }, className = "") {
    const holder = draw(group, "foreignObject", { x, y, width, height, class: className, "data-role": look.role });
    const frame = add(holder, "div"), size = { type: 0, width: 0 };
    for (const place of look.formulas) {
      frame.replaceChildren();
      frame.style.fontSize = `${FORMULA}px`;
      const span = add(frame, "span");
      span.append(formula(place));
      size.type = FORMULA * Math.min(1, width / span.offsetWidth, height / span.offsetHeight);
      frame.style.fontSize = `${size.type}px`;
      size.width = span.offsetWidth;
      if (size.type >= LEAST_FORMULA) break;
    }
    return { ...size, holder };
  }

  // A formula beside its word, which gives way to one that would be set much smaller.
  function showFormulaRow(group, room, look) {
    const label = draw(group, "text", { class: "label", x: room.x, y: room.y + room.height / 2 + 4.5, "font-size": 12, "data-role": look.role }, look.label);
    const taken = label.getComputedTextLength() + 8;
    const { type, holder } = fitted(group, look, { ...room, x: room.x + taken, width: room.width - taken });
    if (type >= 0.8 * FORMULA) return;
    label.remove();
    holder.remove();
    fitted(group, look, room);
  }

  function showRow({ group, room, ring, isArray }, place) {
    const look = data.looks[place];
    group.replaceChildren();
    if (look.levels || (isArray && look.empty)) return showMap(group, room, ring, look);
    if (look.formulas) return showFormulaRow(group, room, look);
    const base = room.y + room.height / 2 + 7;
    const number = write(group, look.text, room.x + room.width, base, look.label ? 20 : 13, room.width, {
      class: look.empty ? "number empty" : "number", "text-anchor": "end", "data-role": look.role,
    });
    const label = draw(group, "text", { class: "label", x: room.x, y: base - 2.5, "font-size": 12, "data-role": look.role }, look.label);
    const wide = number.getComputedTextLength(), share = (room.width - label.getComputedTextLength() - 4) / wide;
    if (share < 0.8) label.remove(); // a number gives way to its word down to this share of its size
    else if (share < 1) number.setAttribute("font-size", 20 * share);
    surround(ring, room.x + room.width - number.getComputedTextLength() - 6, room.y + room.height / 2 - 12, number.getComputedTextLength() + 12, 24);
  }

  // An array with the word over it; while there is none its place is free.
  function showMap(group, room, ring, look) {
    draw(group, "text", { class: "label", x: room.x, y: room.y + 14, "font-size": 12, "data-role": look.role }, look.label);
    const inner = { ...room, y: room.y + WORD, height: room.height - WORD - MAP_GAP };
    surround(ring, inner.x - 3, inner.y - 3, inner.width + 6, inner.height + 6);
    if (look.levels) return cells(group, look, inner);
    draw(group, "text", {
      class: "number empty", x: room.x + room.width / 2, y: inner.y + inner.height / 2 + 7, "font-size": 20, "text-anchor": "middle",
    }, look.text);
  }

  function surround(ring, x, y, width, height) {
    for (const [name, value] of Object.entries({ x, y, width, height })) ring.setAttribute(name, value);
  }

  // Values are round, gradients are diamonds, so that colour is not the only sign.
  function token(looks, at) {
    const group = draw(moving, "g", { class: "token" });
    let down = looks.length > 1 ? -18 : 0, half = 0;
    const parts = looks.map((place) => {
      const look = data.looks[place], part = draw(group, "g"), inner = draw(part, "g");
      const shape = look.role === "gradient" ? diamond(content(inner, look)) : disc(content(inner, look));
      part.prepend(draw(part, shape.tag, { class: "body", "data-role": look.role, ...shape.attributes }));
      half = Math.max(half, shape.half);
      return part;
    });
    const { x, y } = at(half);
    for (const part of parts) {
      part.setAttribute("transform", `translate(${x} ${y + down})`);
      down += 36;
    }
  }

  // Where a token that reaches so far to its sides is: between the card where its wire begins and the arrow.
  function clear({ length, at }, half, fraction) {
    const begin = Math.min(half + 3, 0.4 * length), end = Math.max(length - half - 14.5, 0.6 * length);
    return at((begin + fraction * (end - begin)) / length);
  }

  function content(group, look) {
    if (look.levels) {
      const width = clamp((look.levels[0] ?? []).length * 10, 10, 30), height = clamp(look.levels.length * 8, 8, 18);
      cells(group, { ...look, texts: null }, { x: -width / 2, y: -height / 2, width, height });
      return { width, height };
    }
    if (look.formulas) {
      return { width: fitted(group, look, { x: -80, y: -16, width: 160, height: 32 }, "middle").width, height: 22 };
    }
    const text = write(group, look.text, 0, 5.7, 16, 80, { "text-anchor": "middle" });
    return { width: text.getComputedTextLength(), height: 11.5 };
  }

  function disc({ width, height }) {
    const tall = Math.max(17, height / 2 + 6), half = Math.max(tall, width / 2 + 8);
    return { tag: "rect", half, attributes: { x: -half, y: -tall, width: 2 * half, height: 2 * tall, rx: tall } };
  }

  function diamond({ width, height }) {
    const wide = width / 2 + 2, tall = height / 2, up = Math.max(18, tall * 1.8);
    const half = Math.max(wide / (1 - tall / up), 25);
    return { tag: "polygon", half, attributes: { points: `${half},0 0,${up} ${-half},0 0,${-up}` } };
  }

  // --- the states: what is shown after 0, 1, 2 ... steps

  const states = [];
  for (const change of data.shown) {
    const before = states.at(-1) ?? { cards: data.nodes.map(() => [null, null]), lanes: [], faults: [] };
    const state = { cards: before.cards.slice(), lanes: change.lanes ?? before.lanes, faults: change.faults ?? before.faults };
    for (const [node, upper, lower] of change.cards ?? []) state.cards[node] = [upper, lower];
    states.push(state);
  }

  const MAX_DOTS = 80; // a pass of more steps has no dots on the timeline
  const passes = data.stretches.map(({ word, begin, role }, place) => {
    const steps = (data.stretches[place + 1]?.begin ?? count) - begin;
    const part = add(byId("track"), "i", "", steps <= MAX_DOTS ? "dotted" : "");
    part.dataset.role = role;
    part.style.setProperty("--steps", steps);
    return { word, begin, steps, role, part };
  });
  const seen = { cards: data.nodes.map(() => [null, null]), landed: -1, lit: null, step: -1, title: null };

  function showState(landed) {
    if (landed === seen.landed) return;
    seen.landed = landed;
    const state = states[landed];
    state.cards.forEach((rows, node) => rows.forEach((place, row) => {
      if (place === null || seen.cards[node][row] === place) return;
      showRow(cards[node].rows[row], place);
      seen.cards[node][row] = place;
    }));
    wires.forEach((wire, number) => {
      const { step, part } = data.wires[number];
      wire.done = step !== undefined && step < landed ? 2.6 + 1.5 * part : 0;
      showWire(wire, "");
    });
    seen.lit = null; // the rows and the wires are to be lit again
    showLanes(state.lanes);
    showFaults(state.faults);
    if (byId("numbers").open) showTable();
  }

  function showLanes(lanes) {
    byId("lanes").replaceChildren();
    byId("lanes").hidden = !lanes.length;
    for (const [name, text, role, isNow] of lanes) {
      const line = add(byId("lanes"), "li");
      add(line, "span", name, isNow ? "now" : "");
      add(line, "span", text, isNow ? "now" : "").dataset.role = role;
    }
  }

  function showFaults(places) {
    const nodes = new Set(places.map((place) => data.faults[place].node));
    cards.forEach((card, node) => {
      card.group.classList.toggle("faulty", nodes.has(node));
      if (nodes.has(node) && !card.badge) {
        card.badge = draw(card.group, "g");
        draw(card.badge, "circle", { class: "badge", r: 10 });
        draw(card.badge, "text", { class: "badge-text", y: 5, "font-size": 15, "text-anchor": "middle" }, "!");
      } else if (!nodes.has(node) && card.badge) {
        card.badge.remove();
        card.badge = null;
      }
    });
    byId("faults").hidden = !places.length;
    byId("faults").replaceChildren();
    for (const place of places) add(byId("faults"), "li", `Fault: ${data.faults[place].text}`);
  }

  function showTable() {
    const [, , upper, lower] = byId("numbers").querySelectorAll("th");
    const rows = states[seen.landed].cards.map((places) => places.map((place) => data.looks[place]));
    const body = byId("numbers").querySelector("tbody");
    [upper.textContent, lower.textContent] = [0, 1].map((row) => rows.find((pair) => pair[row]?.label)?.[row].label ?? "");
    body.replaceChildren();
    rows.forEach((pair, node) => {
      const line = add(body, "tr");
      add(line, "th", data.nodes[node].name).scope = "row";
      add(line, "td", data.nodes[node].symbol);
      for (const look of pair) {
        const cell = add(line, "td", look?.text ?? "");
        cell.dataset.role = look?.empty ? "" : (look?.role ?? "");
        if (look?.formulas) cell.append(formula(look.formulas[0]));
      }
    });
  }

  // --- a moment: what is lit, what is on its way, what is said

  let time = 0;

  function place() { // rests: with a step's result, and what has brought it beside its goal
    const index = Math.max(Math.ceil(time) - 1, 0);
    const progress = time - index;
    return { index, progress, landed: count ? index + (progress >= data.arrival ? 1 : 0) : 0 };
  }

  function show() {
    const { index, progress, landed } = place();
    showState(landed);
    byId("slider").value = time;
    showPlace();
    look(index, progress);
    if (!count) return showTitle([data.before]);
    const step = data.steps[index];
    showLit(index, step, time > 0 ? step.lit.findLastIndex(([moment]) => moment <= progress) : -1);
    moving.replaceChildren();
    const travelled = clamp((progress - data.departure) / (data.arrival - data.departure), 0, 1);
    if (progress > 0) showMotion(step, calm.matches ? 1 : travelled);
    showFormula(index, step, time > 0 ? progress : -1);
    const hasLanded = landed > index;
    if (time === 0) showTitle([data.before]);
    else showTitle(hasLanded ? step.result : step.title, step.place, hasLanded && step.sentence);
  }

  function showTitle(pieces, place = "", sentence = "") {
    if (seen.title === pieces) return;
    seen.title = pieces;
    const title = tell(byId("title"), pieces);
    byId("sentence").textContent = sentence || title;
    byId("slider").setAttribute("aria-valuetext", title.startsWith(place) ? title : `${place}: ${title}`);
  }

  // How far each pass is done, and the step of all.
  function showPlace() {
    const done = Math.ceil(time);
    byId("place").replaceChildren();
    add(byId("place"), "b", String(done));
    byId("place").append(` / ${count}`);
    passes.forEach(({ begin, steps, part, role }) => {
      part.style.setProperty("--done", `${clamp((time - begin) / steps, 0, 1) * 100}%`);
      if (time > begin || !begin) byId("slider").dataset.role = role;
    });
  }

  // --- the part of the graph that is seen: all of it, or on a small screen, where nobody could read that, the cards of
  // the step; a drag looks elsewhere until the next step

  const PHONE = 640, LARGEST = 1.6;
  const aside = { step: -1, by: [0, 0] }; // pixels

  // The middle and the size of the cards that a step lights.
  const places = data.steps.map(({ lit }) => {
    const lighted = new Set(lit.flatMap(([, grounds, edges]) => [...Object.keys(grounds), ...Object.keys(edges)]));
    const boxes = lighted.size ? [...lighted].map((node) => data.nodes[node].box) : [[0, 0, 0, 0]];
    const ends = [0, 1].map((axis) => [Math.min(...boxes.map((box) => box[axis])), Math.max(...boxes.map((box) => box[axis] + box[axis + 2]))]);
    return { middle: ends.map(([low, high]) => (low + high) / 2), size: ends.map(([low, high]) => high - low + 80) };
  });

  function look(index, progress) {
    const { width, height } = byId("stage").getBoundingClientRect();
    const room = [width, height], whole = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
    const fits = (size) => Math.min(room[0] / size[0], room[1] / size[1]);
    const least = Math.min(fits(whole), LARGEST), readable = Math.max(width < PHONE ? 0.7 : 0.4, least);
    const [before, now] = [places[Math.max(index - 1, 0)], places[index]].map((place) => place ?? { middle: [0, 0], size: whole });
    const way = calm.matches ? 1 : ease(clamp(3 * progress, 0, 1));
    const between = (from, to) => from + way * (to - from);
    const zoom = between(clamp(fits(before.size), least, readable), clamp(fits(now.size), least, readable));
    if (aside.step !== index) Object.assign(aside, { step: index, by: [0, 0] });
    const size = room.map((side) => side / zoom);
    const corner = [0, 1].map((axis) => {
      const [low, high] = [bounds[axis], bounds[axis + 2] - size[axis]];
      if (low >= high) return (low + high) / 2;
      const own = clamp(between(before.middle[axis], now.middle[axis]) - size[axis] / 2, low, high);
      const asked = clamp(own - aside.by[axis] / zoom, low, high);
      aside.by[axis] = (own - asked) * zoom;
      return asked;
    });
    seen.view = [...corner, corner[0] + size[0], corner[1] + size[1]];
    stage.setAttribute("viewBox", [...corner, ...size].join(" "));
  }

  function setRole(element, name, role) {
    if (role) element.setAttribute(name, role);
    else element.removeAttribute(name);
  }

  function showLit(index, step, part) {
    const key = `${index} ${part}`;
    if (key === seen.lit) return;
    seen.lit = key;
    const [, grounds, edges, lines, used, ...labelled] = part < 0 ? [0, {}, {}, {}, {}] : step.lit[part];
    cards.forEach(({ group, box, rows }, node) => {
      setRole(box, "data-role", edges[node]);
      group.classList.toggle("receives", node in grounds);
      rows.forEach((row, place) => showFill(row, data.looks[seen.cards[node][place]], grounds[node], used[node] ?? []));
    });
    wires.forEach((wire, number) => {
      showWire(wire, lines[number]);
      if (lines[number]) cards[0].group.before(wire.group); // above the other wires, below the cards
    });
    notes.replaceChildren();
    if (labelled.length) note(wires[labelled[0]], ...labelled.slice(1));
  }

  // A row is empty, strong while its number arrives, and then tinted, but for values; numbers in use have a ring.
  function showFill({ fill, group, ring }, look, ground, used) {
    const isThere = look !== undefined && !look.empty;
    const arrives = isThere && look.role === ground;
    setRole(fill, "data-role", isThere ? look.role : "");
    fill.classList.toggle("strong", arrives);
    group.classList.toggle("strong", arrives);
    setRole(ring, "data-role", look?.role);
    ring.setAttribute("visibility", isThere && used.includes(look.role) ? "visible" : "hidden");
  }

  // A wire at rest, one that carries in the colour of `role`, or one that has carried a gradient back.
  function showWire({ line, arrow, end, done }, role) {
    const width = role ? 5.5 : done || 1.8, head = 9 + width;
    for (const element of [line, arrow]) setRole(element, "data-role", role || (done ? "gradient" : ""));
    line.style.setProperty("--width", width);
    arrow.setAttribute("d", `M${end.x} ${end.y}l${-head} ${-head / 2}l${head / 4} ${head / 2}l${-head / 4} ${head / 2}z`);
    line.setAttribute("stroke-dasharray", `${line.getTotalLength() - 0.7 * head} 99999`); // up to the neck of its arrow
  }

  // The local derivative beside its wire, where it covers the least, with a leader.
  function note(wire, text, latex) {
    const middle = wire.at(0.65), group = draw(notes, "g", { class: "note" });
    const leader = draw(group, "line"), card = draw(group, "rect", { rx: 8 });
    let width, height = 36, words;
    if (latex === undefined) {
      words = write(group, text, 0, 0, 15, 320, { "text-anchor": "middle" });
      width = words.getComputedTextLength() + 24;
    } else {
      const holder = draw(group, "foreignObject", { width: 600, height: 200, class: "middle" }), frame = add(holder, "div");
      words = add(frame, "span");
      words.append(formula(latex));
      [width, height] = [words.offsetWidth + 24, Math.max(words.offsetHeight + 8, height)];
      words = holder;
    }
    const way = Array.from({ length: 13 }, (_, part) => wire.at(part / 12)); // where the token passes
    const near = data.wires.flatMap(({ target }, other) => (target === wire.target ? [wires[other]] : []));
    const points = near.flatMap(({ at }) => Array.from({ length: 13 }, (_, part) => at(part / 12)));
    const areas = [...data.nodes.map(({ box }) => box), ...way.map(({ x, y }) => [x - 22, y - 22, 44, 44]),
      ...points.map(({ x, y }) => [x - 12, y - 12, 24, 24])];
    const covered = ([x, y]) => areas.reduce((sum, [left, top, wide, tall]) => {
      const across = Math.min(x + width / 2, left + wide) - Math.max(x - width / 2, left);
      const down = Math.min(y + height / 2, top + tall) - Math.max(y - height / 2, top);
      return sum + Math.max(across, 0) * Math.max(down, 0);
    }, Math.abs(y - middle.y) + Math.abs(x - middle.x) / 2);
    const places = [44, -44, 66, -66, 92, -92, 130, -130].flatMap((dy) => [0, -60, 60, -120, 120].map((dx) => [
      clamp(middle.x + dx, seen.view[0] + width / 2, seen.view[2] - width / 2),
      clamp(middle.y + dy, seen.view[1] + height / 2, seen.view[3] - height / 2),
    ]));
    const [x, y] = places.reduce((best, other) => (covered(other) < covered(best) ? other : best));
    const [left, top] = [x - width / 2, y - height / 2];
    surround(card, left, top, width, height);
    if (latex === undefined) for (const [name, value] of Object.entries({ x, y: y + 5 })) words.setAttribute(name, value);
    else surround(words, left, top, width, height);
    const foot = clamp(middle.x, left + 8, left + width - 8);
    for (const [name, value] of Object.entries({ x1: foot, y1: y, x2: middle.x, y2: middle.y })) leader.setAttribute(name, value);
  }

  function showMotion(step, travelled) {
    if (step.seed !== undefined) { // it comes to the output from outside
      const { box: [x, y, width, height] } = data.nodes.find(({ output }) => output);
      token([step.seed], (half) => ({ x: x + width + half + 3 + 50 * (1 - ease(travelled)), y: y + height / 2 }));
    }
    for (const { wire, looks, seen: [begin, end], back } of step.tokens ?? []) {
      if (travelled < begin || (travelled >= end && end < 1)) continue; // the last one rests at its goal
      const fraction = back ? 1 - ease(travelled) : ease((travelled - begin) / (end - begin));
      token(looks, (half) => clear(wires[wire], half, fraction));
    }
  }

  // The formula grows with the motion: parts still to come keep their places free.
  function showFormula(index, step, progress) {
    const band = byId("formula");
    if (seen.step !== index) {
      seen.step = index;
      band.replaceChildren();
      let run; // what stays on one line: from one relation to the next
      for (const [part, mark, caption, appears, isResult, isMore] of step.formula) {
        if (!run || [" ", "=", "≈", "+="].includes(mark)) run = add(band, "span", "", "run");
        const span = add(run, "span", "", isMore ? "piece more" : "piece");
        span.dataset.appears = appears;
        if (mark) add(span, "span", mark, mark === " " ? "gap" : "mark");
        const inner = add(span, "span", "", "part"), holder = isResult ? add(inner, "span", "", "plate") : inner;
        holder.append(formula(part));
        if (isResult) holder.dataset.role = holder.querySelector("[mathcolor]")?.getAttribute("mathcolor") ?? "";
        if (caption) add(inner, "small", caption);
      }
      fit();
    }
    for (const span of band.querySelectorAll(".piece")) span.classList.toggle("later", Number(span.dataset.appears) > progress);
  }

  // Matrices are set smaller until all fits; else the result is left.
  function fit() {
    const band = byId("formula"), most = 2.1 * parseFloat(getComputedStyle(byId("row")).minHeight);
    const fits = () => [1, 0.8, 0.7, 0.6, 0.5].some((scale) => {
      band.style = `--scale: ${scale}`;
      return band.clientHeight <= most && band.scrollWidth <= band.clientWidth;
    });
    band.className = band.style = "";
    if (band.querySelector("mtable") && !fits()) {
      band.className = "brief";
      fits();
    }
    spread(band.querySelectorAll("small"));
  }

  // Captions of neighbours stay apart, each as near to the middle of its part as it can.
  function spread(captions) {
    let before = null;
    for (const caption of captions) caption.style = "";
    for (const caption of captions) {
      let { left, right, top } = caption.getBoundingClientRect();
      const overlap = before && Math.abs(before.top - top) < 4 ? before.right + 10 - left : 0;
      if (overlap > 0) {
        before.caption.style.setProperty("--aside", `${before.moved - overlap / 2}px`);
        caption.style.setProperty("--aside", `${overlap / 2}px`);
        right += overlap / 2;
      }
      before = { caption, right, top, moved: Math.max(overlap, 0) / 2 };
    }
  }

  // --- playing

  const clock = { direction: 0, until: null, last: 0, speed: 1 };

  // `until` is where the motion ends; null: at the end of all steps.
  function start(direction, until = null) {
    clock.until = until;
    if (!clock.direction) {
      clock.last = performance.now();
      requestAnimationFrame(tick);
    }
    clock.direction = direction;
    showPlaying();
  }

  function stop() {
    clock.direction = 0;
    clock.until = null;
    showPlaying();
  }

  function showPlaying() {
    const isPlaying = clock.direction > 0 && clock.until === null;
    byId("play-icon").setAttribute("d", isPlaying ? PAUSE : PLAY);
    byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }

  function tick(now) {
    if (!clock.direction) return;
    const seconds = Math.max((now - clock.last) / 1000, 0) * clock.speed; // a frame may have begun before the click
    if (calm.matches && seconds < REST_SECONDS && clock.until === null) return void requestAnimationFrame(tick);
    clock.last = now;
    const end = clock.until ?? (clock.direction > 0 ? count : 0);
    const rests = calm.matches ? Math.sign(end - time) * (clock.until === null ? 1 : Infinity) : 0;
    const way = calm.matches ? rests : (clock.direction * seconds) / STEP_SECONDS;
    const reached = clock.direction > 0 ? Math.min(time + way, end) : Math.max(time + way, end);
    const asked = clock.direction > 0 ? nextQuestion(time, reached) : null;
    time = asked ? asked.time : calm.matches && reached !== end ? Math.round(reached) : reached;
    show();
    if (asked) ask(asked);
    if (asked || time === end) stop();
    else requestAnimationFrame(tick);
  }

  function play(direction) {
    if (open && direction > 0) return byId("answer").focus();
    close();
    if (clock.direction === direction && clock.until === null) return stop();
    if (direction > 0 && time >= count) time = 0;
    if (direction < 0 && time <= 0) time = count;
    start(direction);
  }

  function step(direction) {
    if (open && direction > 0) return byId("answer").focus();
    close();
    const from = clock.until ?? time;
    const to = direction > 0 ? Math.floor(from + 1e-9) + 1 : Math.ceil(from - 1e-9) - 1;
    start(direction, clamp(to, 0, count));
  }

  function jump(to) {
    close();
    stop();
    time = clamp(to, 0, count);
    show();
  }

  // --- predicting: each result is asked for before it is shown

  const QUANTITIES = [...new Set(data.steps.flatMap((one) => (one.questions ?? []).map(({ quantity }) => quantity)))];
  const answers = new Map(); // by step and quantity: whether it was right, and at once
  let predicts = false, open = null;

  function nextQuestion(begin, end) {
    if (!predicts) return null;
    for (let index = Math.floor(begin); index < Math.min(end, count); index += 1) {
      for (const question of data.steps[index].questions ?? []) {
        const moment = index + question.moment, key = `${index} ${question.quantity} ${question.subject}`;
        const isAsked = question.quantity === byId("quantity").value && !answers.has(key);
        if (isAsked && moment > begin && moment <= end) return { question, key, time: moment };
      }
    }
    return null;
  }

  function ask({ question, key }) {
    open = { question, key, tries: 0, hints: 0 };
    byId("question").textContent = question.sentence;
    byId("verdict").textContent = "";
    byId("answer").value = "";
    byId("ask").hidden = false;
    byId("answer").focus();
  }

  function close() {
    open = null;
    byId("ask").hidden = true;
  }

  function isNear(number, expected) {
    const [one, other] = [Number(number), expected].map((item) => (typeof item === "string" ? special(item) : item));
    if (Number.isNaN(other) || !Number.isFinite(other)) return Object.is(one, other);
    return Math.abs(one - other) <= Math.max(data.tolerance * Math.abs(other), data.least);
  }

  function special(text) {
    return { nan: NaN, inf: Infinity, "-inf": -Infinity }[text] ?? Number(text);
  }

  function check() {
    const number = read(byId("answer").value);
    if (number === null) return say("This is no number: write one, a fraction or arithmetic, such as −27 − 14.");
    open.tries += 1;
    const { expected, mistakes } = open.question;
    if (isNear(number, expected)) return settle(true, `Right: ${open.question.subject} = ${open.question.shown}.`);
    const mistake = mistakes.find(([wrong]) => !isNear(special(String(wrong)), expected) && isNear(number, wrong));
    return say(mistake ? mistake[1] : "Not yet: try again, or ask for a hint.");
  }

  function say(text) {
    byId("verdict").textContent = text;
  }

  function settle(isRight, text) {
    answers.set(open.key, { right: isRight, atOnce: isRight && open.tries === 1 && !open.hints });
    const given = [...answers.values()];
    const right = given.filter((one) => one.right).length, atOnce = given.filter((one) => one.atOnce).length;
    byId("score").textContent = `${right} of ${given.length} right, ${atOnce} at once`;
    close();
    byId("sentence").textContent = text;
    byId("play").focus();
    start(1, Math.ceil(time + 1e-9));
  }

  // Numbers, + − · / ^ and brackets; nothing is evaluated as a program. Returns null for anything else.
  function read(text) {
    const plain = text.replace(/[−–]/g, "-").replace(/[·×]/g, "*").replace(/[:÷]/g, "/").replace(/\*\*/g, "^");
    const marks = plain.match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|nan|inf|[-+*/^()]|\S/gi) ?? [];
    let at = 0;
    const next = (mark) => marks[at] === mark && (at += 1) > 0;
    function sum() {
      let total = product();
      for (;;) {
        if (next("+")) total += product();
        else if (next("-")) total -= product();
        else return total;
      }
    }
    function product() {
      let total = signed();
      for (;;) {
        if (next("*")) total *= signed();
        else if (next("/")) total /= signed();
        else return total;
      }
    }
    function signed() {
      if (next("-")) return -signed();
      if (next("+")) return signed();
      const base = single();
      return next("^") ? base ** signed() : base;
    }
    function single() {
      if (next("(")) {
        const inner = sum();
        if (!next(")")) throw new SyntaxError("bracket");
        return inner;
      }
      const mark = marks[at++] ?? "";
      if (/^(nan|inf)$/i.test(mark)) return special(mark.toLowerCase());
      if (!/^[\d.]/.test(mark) || Number.isNaN(Number(mark))) throw new SyntaxError("number");
      return Number(mark);
    }
    try {
      const number = sum();
      return at === marks.length ? number : null;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }

  // --- buttons and keys

  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    byId("theme").textContent = `${theme[0].toUpperCase()}${theme.slice(1)}`;
    byId("theme").setAttribute("aria-label", `Theme: ${theme}`);
    redraw();
  }

  // The numbers in cells are black or white as their grounds need it.
  function redraw() {
    Object.assign(seen, { cards: data.nodes.map(() => [null, null]), landed: -1 });
    show();
  }

  const nextTheme = () => setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);

  function setPredicts(on) {
    predicts = on && QUANTITIES.length > 0;
    byId("predict").setAttribute("aria-pressed", predicts);
    byId("quantity").hidden = !predicts;
    if (predicts && time >= count) jump(0);
    if (!predicts) close();
  }

  const BUTTONS = {
    first: () => jump(0), backwards: () => play(-1), back: () => step(-1), play: () => play(1), next: () => step(1),
    last: () => jump(count), theme: nextTheme, predict: () => setPredicts(!predicts),
    hint: () => { open.hints = Math.min(open.hints + 1, 3); say(open.question.hints.slice(0, open.hints).join("\n")); },
    reveal: () => settle(false, `${open.question.subject} = ${open.question.shown}.`),
  };
  const KEYS = {
    " ": (event) => play(event.shiftKey ? -1 : 1), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
    PageDown: () => step(1), PageUp: () => step(-1), Home: () => jump(0), End: () => jump(count),
    p: () => setPredicts(!predicts), t: nextTheme,
  };

  for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", action);
  byId("ask").addEventListener("submit", (event) => { event.preventDefault(); check(); });
  byId("slider").addEventListener("input", () => jump(Number(byId("slider").value)));
  byId("slider").addEventListener("change", () => jump(Math.round(time)));
  byId("speed").addEventListener("change", () => { clock.speed = Number(byId("speed").value); });
  byId("quantity").addEventListener("change", close);
  byId("numbers").addEventListener("toggle", showTable);
  byId("stage").addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    aside.by[0] += event.movementX;
    aside.by[1] += event.movementY;
    show();
  });
  new ResizeObserver(() => [fit(), show()]).observe(byId("stage"));
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const types = target.matches?.("input[type=text], select");
    const presses = key === " " && target.matches?.("button, summary");
    if (types || presses || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = KEYS[key.length === 1 ? key.toLowerCase() : key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });

  function addPassButtons() {
    for (const { word, begin, steps, role } of passes) {
      const button = add(byId("stretches"), "button", `${word[0].toUpperCase()}${word.slice(1)} · ${steps} ${steps === 1 ? "step" : "steps"}`);
      button.type = "button";
      button.dataset.role = role;
      button.style.setProperty("--steps", steps);
      button.title = `To the beginning: step ${begin + 1}`;
      button.addEventListener("click", () => jump(begin));
    }
  }

  function addPassList() { // where buttons would be too narrow for their words
    const list = add(byId("stretches"), "select");
    list.setAttribute("aria-label", "To the beginning of a pass");
    for (const { word, begin } of passes) add(list, "option", word).value = begin;
    list.addEventListener("change", () => jump(Number(list.value)));
  }

  if (data.stretches.length > 4) addPassList();
  else addPassButtons();
  for (const quantity of QUANTITIES) add(byId("quantity"), "option", `${quantity}s`).value = quantity;
  for (const usual of ["gradient", "tangent"]) if (QUANTITIES.includes(usual)) byId("quantity").value = usual;
  byId("predicting").hidden = !QUANTITIES.length;
  byId("slider").max = count;
  setPredicts(false);
  time = clamp(data.start, 0, count);
  setTheme(document.documentElement.dataset.theme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
})();
