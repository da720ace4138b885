const cities: Readonly<Record<string, { readonly celsius: number; readonly sky: string }>> = {
  'dar es salaam': { celsius: 29, sky: 'sunny' },
  kampala: { celsius: 24, sky: 'rainy' },
  lusaka: { celsius: 22, sky: 'cloudy' },
  nairobi: { celsius: 21, sky: 'sunny' },
};

export interface Weather {
  readonly city: string;
  readonly degrees: number;
  readonly unit: 'C' | 'F';
  readonly sky: string;
}

/** The weather of a city, the same every day; undefined for one that is not known. */
export function weatherOf(city: string, unit: Weather['unit']): Weather | undefined {
  const found = cities[city.trim().toLowerCase()];
  if (found === undefined) return undefined;
  const degrees = unit === 'C' ? found.celsius : Math.round(found.celsius * 1.8 + 32);
  return { city, degrees, unit, sky: found.sky };
}
