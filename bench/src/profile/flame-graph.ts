import type { Call } from './fold-profile.js';

/** What is narrower is not drawn, as a part of all. */
const narrowest = 0.0005;

/** A flame graph as one page without anything else: a click on a call shows it alone, Escape shows all again. */
export function flameGraph(title: string, root: Call): string {
  return `<!doctype html>
<meta charset="utf-8">
<title></title>
<style>
  body { font: 12px/18px system-ui, sans-serif; margin: 8px; background: #fff; color: #222 }
  #graph { position: relative }
  button { position: absolute; height: 17px; padding: 0 2px; border: 0; border-radius: 1px; overflow: hidden; white-space: nowrap;
    text-align: left; font: inherit; line-height: 17px; color: #222; cursor: pointer }
</style>
<h1></h1>
<p id="told" aria-live="polite">A click shows a call alone, Escape all of them.</p>
<div id="graph"></div>
<script>
const title = ${asScript(title)};
const root = ${asScript(wide(root, root.us * narrowest))};
${drawing}
</script>
`;
}

function wide({ name, us, calls }: Call, leastUs: number): Call {
  return { name, us, calls: calls.filter((call) => call.us >= leastUs).map((call) => wide(call, leastUs)) };
}

function asScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

const drawing = `
document.title = document.querySelector('h1').textContent = title;
const graph = document.getElementById('graph');
const told = document.getElementById('told');
const hueOf = (name) => name.includes('node_modules') || !name.includes('/') ? 200 : name.startsWith('node:') ? 120 : 35;
const say = (call) => call.name + ': ' + (call.us / 1000).toFixed(1) + ' ms, ' + (100 * call.us / root.us).toFixed(1) + ' %';
function draw(shown) {
  graph.replaceChildren();
  let deepest = 0;
  const put = (call, left, depth) => {
    const width = 100 * call.us / shown.us;
    if (width < 0.1) return;
    deepest = Math.max(deepest, depth);
    const bar = document.createElement('button');
    bar.textContent = call.name;
    bar.title = say(call);
    bar.style.cssText = 'left:' + left + '%;width:calc(' + width + '% - 1px);top:' + depth * 18 + 'px;background:hsl(' +
      hueOf(call.name) + ' 80% ' + (72 + depth % 3 * 5) + '%)';
    bar.onclick = () => { told.textContent = say(call); draw(call); };
    graph.append(bar);
    let next = left;
    for (const inner of call.calls) { put(inner, next, depth + 1); next += 100 * inner.us / shown.us; }
  };
  put(shown, 0, 0);
  graph.style.height = (deepest + 1) * 18 + 'px';
}
addEventListener('keydown', ({ key }) => { if (key === 'Escape') draw(root); });
draw(root);`;
