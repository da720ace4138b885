import type { Answer } from '../chain/asking/ask-chain.js';
import type { Entity } from '../chain/entities/entity.js';
import { entityColumns } from '../chain/entities/entity-columns.js';
import { isFirstList } from '../chain/here/views.js';
import { hrefOf, partsOf } from '../shell/route.js';

/**
 * The list that the chain begins with, of the page itself, while the explorer is on its way: its links lead where those of the explorer do.
 * Where no list comes there is nothing to show.
 *
 * @param asking what the explorer will show first
 */
export async function offerList(asking: Promise<Answer>): Promise<void> {
  const template = document.getElementById('early-list');
  if (!isHere() || !(template instanceof HTMLTemplateElement)) return;
  const { ok, body } = await asking;
  const { entities } = (body ?? {}) as { readonly entities?: readonly Entity[] };
  if (!ok || !Array.isArray(entities) || !isHere() || isExplorerThere()) return;
  document.body.append(template.content.cloneNode(true));
  const list = document.querySelector<HTMLElement>('.early-list');
  list?.querySelector('thead tr')?.append(...entityColumns.map(({ name }) => headerCell('col', name)));
  list?.querySelector('tbody')?.append(...entities.map(rowOf));
  if (list !== null) untilExplorer(list);
}

/** Takes the list away as soon as the explorer shows its own, or whatever else was gone to, and the focus along to the same link. */
function untilExplorer(list: HTMLElement): void {
  const look = (): void => {
    if (!isExplorerThere()) return;
    observer.disconnect();
    window.removeEventListener('hashchange', leave);
    const href = list.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : undefined;
    list.remove();
    if (href)
      document.querySelector<HTMLElement>(`#main a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
  };
  const leave = (): void => {
    if (!isHere()) list.replaceChildren('Loading…');
    look();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('hashchange', leave);
}

function isHere(): boolean {
  const [door, view = 'entities', id] = partsOf(location.hash);
  return door === 'chain' && isFirstList(view, id);
}

/** It shows its list, or why there is none; elsewhere it shows whatever it shows. */
function isExplorerThere(): boolean {
  return document.querySelector(isHere() ? '#main table, #main [role=alert]' : '#main') !== null;
}

function rowOf(entity: Entity): HTMLTableRowElement {
  const row = document.createElement('tr');
  row.append(
    ...entityColumns.map(({ name, textOf }) => {
      const text = textOf(entity);
      if (name === 'Id') return headerCell('row', linkTo(entity.id, text));
      return withChild(document.createElement('td'), name === 'Type' ? badge(text) : text);
    }),
  );
  return row;
}

function headerCell(scope: 'col' | 'row', content: Node | string): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  return withChild(cell, content);
}

function linkTo(id: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = hrefOf('chain', 'entities', id);
  link.className = 'mono';
  return withChild(link, text);
}

function badge(text: string): HTMLSpanElement {
  const span = document.createElement('span');
  span.className = 'badge accent';
  return withChild(span, text);
}

function withChild<Parent extends Element>(parent: Parent, child: Node | string): Parent {
  parent.append(child);
  return parent;
}
