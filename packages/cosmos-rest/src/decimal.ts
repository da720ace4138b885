import { type DescExtension, type DescField, getOption, hasOption, type Registry } from '@bufbuild/protobuf';
import type { FormatOf } from '@mlango/transcoder/field-format';

const SCALE = 18;

/**
 * A `LegacyDec` is an integer times 10^18 on the wire and has a decimal point in JSON: `"10000000000000000000"` is
 * `"10.000000000000000000"`. Other texts, and the empty one, are unchanged. Source: cosmossdk.io/math, LegacyDec.
 */
export function printDecimal(wire: string): string {
  const parts = /^(-?)([0-9]+)$/.exec(wire);
  const digits = parts?.[2]?.padStart(SCALE + 1, '0');
  if (digits === undefined) return wire;
  const whole = digits.slice(0, -SCALE).replace(/^0+(?=[0-9])/, '');
  return `${parts?.[1] ?? ''}${whole}.${digits.slice(-SCALE)}`;
}

/** The format of string and bytes fields that hold a `LegacyDec`, by the field options of the descriptors. */
export function decimalFormats(registry: Registry): FormatOf {
  const scalar = registry.getExtension('cosmos_proto.scalar');
  const customType = registry.getExtension('gogoproto.customtype');
  return (field) => {
    const isDecimal =
      readTextOption(field, scalar) === 'cosmos.Dec' ||
      /(?:^|[./])(?:Legacy)?Dec$/.test(readTextOption(field, customType));
    return isDecimal ? { printText: printDecimal } : undefined;
  };
}

function readTextOption(field: DescField, option: DescExtension | undefined): string {
  if (option === undefined || !hasOption(field, option)) return '';
  const value: unknown = getOption(field, option);
  return typeof value === 'string' ? value : '';
}
