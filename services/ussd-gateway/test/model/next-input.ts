import type { Random } from '@mlango/test-services/random';
import type { Bank } from './bank.js';
import type { Place } from './places.js';

const names = ['Amina Otieno', "N'Golo Kante-Smith Jr.", 'back', 'Zoë Ngũgĩ', '王小明', 'X', 'R2D2', 'Jo'];
const emails = ['00', '00', 'amina@example.org', 'amina@', 'a@b', 'jo.doe@mail.example'];
const pins = ['90210', '83059', '60748', '71946'];
const badPins = ['11111', '12345', '98765', '1234', '123456', 'abcde'];
const strayKeys = ['0', '1', '2', '3', '9', '00', '98', '99', 'x', '7*7', '', 'exit', '90210', '#'];

/** Next input of a subscriber: usually valid, sometimes a slip, sometimes random. */
export function nextInput(place: Place, random: Random, bank: Bank): string {
  if (random.chance(0.03)) return '*';
  // This model cannot read the screens of another language.
  if (random.chance(0.12) && place.at !== 'languageMenu' && place.at !== 'openLanguageMenu')
    return random.pick(strayKeys);
  switch (place.at) {
    case 'preMenu':
      return random.pick(['1', '2', '2', '2', '0', '9']);
    case 'knowMore':
      return random.pick(['1', '2', '3', '0', '9']);
    case 'infoTopic':
      return random.pick(['0', '1', '5', '98', '99']);
    case 'accountMenu':
      return bank.accounts.length === 0 ? '2' : random.pick(['1', '1', '1', '2', '0']);
    case 'nameEntry':
      return random.pick(names);
    case 'emailEntry':
      return random.pick(emails);
    case 'customerIdEntry': {
      const ids = bank.accounts.flatMap(({ id }) => (id === undefined ? [] : [id, id.toLowerCase(), id]));
      return random.pick([...ids.slice(-6), bank.unknownId, 'C123', '00']);
    }
    case 'pinEntry':
    case 'newPin':
      return random.chance(0.8) ? random.pick(pins) : random.pick(badPins);
    case 'confirmPin':
    case 'confirmNewPin':
      return random.chance(0.8) ? place.pin : random.pick(pins);
    case 'loginPin':
      return random.chance(0.55) ? (bank.find(place.id)?.pin ?? '83059') : random.pick([...pins, ...badPins]);
    case 'forgottenId':
      return random.pick([...pins, ...pins, ...badPins]);
    case 'currentPin':
      return random.chance(0.6) ? place.account.pin : random.pick([...pins, ...badPins]);
    case 'languageMenu':
    case 'openLanguageMenu':
      return random.pick(['1', '0', '9']);
    default:
      return random.pick(['1', '2', '3', '9', '0', '98', '99']);
  }
}
