/**
 * A script for a page: its texts with a contrast to the background below 4.5 to 1 (WCAG 2.2, 1.4.3), each with its
 * contrast. Disabled controls are exempt.
 */
export const faintTexts = `(() => {
  const channels = (color) => color.match(/[0-9.]+/g).map(Number);
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const hasText = (element) =>
    element.matches('input, select') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  return [...document.body.querySelectorAll('*')]
    .filter((element) => hasText(element) && !element.matches(':disabled, option'))
    .map((element) => {
      const [one, two] = [channels(getComputedStyle(element).color), behind(element)].map(luminance);
      const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
      return { what: element.id || element.textContent.trim().slice(0, 20), contrast };
    })
    .filter(({ contrast }) => contrast < 4.5);
})()`;
