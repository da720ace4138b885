/** Styles of the saved file: the light theme, for printing. */
const ownStyles = `text{font:10.5px system-ui,sans-serif;fill:#1c1a16}.map-name,.map-start{font-weight:600;font-size:12px}
.map-box{fill:#fff;stroke:#8d8474}.map-screen-current .map-box{fill:#e0f0ec;stroke:#0f6b5f;stroke-width:3}
.map-screen-entry .map-box{stroke-dasharray:5 3}.map-way path{fill:none;stroke:#5c564b}
.map-way-unused path{stroke:#8d8474;stroke-dasharray:3 3}.map-bar{fill:#efeae0}.map-left{fill:#a1261b}.map-arrow{fill:#8d8474}`;

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
