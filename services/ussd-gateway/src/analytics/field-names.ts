import { type FieldKind, fieldOf } from './counts.js';

/**
 * The names of fields, made once each. A hop counts in six of them, and a text that is joined anew has to be read through
 * before it is found in a map: that costs more than the counting. There are as many as screens have kinds of counts.
 */
export class FieldNames {
  readonly #names = new Map<string, Map<string, Map<FieldKind, Map<string | number, string>>>>();

  of(flow: string, screen: string, kind: FieldKind, which: string | number = ''): string {
    const known = this.#names.get(flow)?.get(screen)?.get(kind)?.get(which);
    return known ?? this.#make(flow, screen, kind, which);
  }

  #make(flow: string, screen: string, kind: FieldKind, which: string | number): string {
    const ofFlow = this.#names.get(flow) ?? new Map<string, Map<FieldKind, Map<string | number, string>>>();
    const ofScreen = ofFlow.get(screen) ?? new Map<FieldKind, Map<string | number, string>>();
    const ofKind = ofScreen.get(kind) ?? new Map<string | number, string>();
    const name = fieldOf(flow, screen, kind, which);
    this.#names.set(flow, ofFlow.set(screen, ofScreen.set(kind, ofKind.set(which, name))));
    return name;
  }
}
