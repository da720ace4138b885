/** Bytes as people read them: 12 kB, 3.4 MB. Pure. */
export function fileSize(bytes: number, language: string): string {
  const [unit, of] = bytes < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const);
  const maximumFractionDigits = of === 1_000 ? 0 : 1;
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits }).format(
    Math.max(bytes, 1_000) / of,
  );
}
