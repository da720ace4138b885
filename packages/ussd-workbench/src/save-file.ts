/** Styles of the saved file: the light theme, for printing. */
const ownStyles = `text{font:10px system-ui,sans-serif;fill:#1c1a16}.map-name{font-weight:600;font-size:12px}
.map-screen rect{fill:#fff;stroke:#8d8474}.map-screen-here rect{fill:#e0f0ec;stroke:#0f6b5f;stroke-width:3}
.map-screen-entry rect{stroke-dasharray:5 3}.map-way path{fill:none;stroke:#5c564b}.map-way-unused path{stroke:#ddd5c6}
.map-way text{stroke:#fff;stroke-width:3;paint-order:stroke}.map-way-other path,.map-way-exit path{stroke-dasharray:2 4}.map-arrow{fill:#8d8474}`;

/** Saves an SVG element of the page as a file. */
export function saveSvg(
  drawn: SVGSVGElement,
  { width, height }: { width: number; height: number },
  name: string,
): void {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  for (const one of copy.querySelectorAll('[tabindex]')) one.removeAttribute('tabindex');
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = ownStyles;
  copy.prepend(style);
  saveFile(new XMLSerializer().serializeToString(copy), 'image/svg+xml', name);
}
/** Downloads a text or a blob as a file. */
export function saveFile(content: string | Blob, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
