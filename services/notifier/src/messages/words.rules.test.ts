import { denialOf, wordOf } from './words.rules';

it.each([
  ['ALTO', 'stop'],
  [' baja.\n', 'stop'],
  ['"Alto"!', 'stop'],
  ['¡alta!', 'start'],
  ['Ya me dieron de alta', undefined],
  ['constructor', undefined],
  ['ALTOS', undefined],
  ['STOP', undefined],
  ['', undefined],
  ['👍', undefined],
])('%j is %s', (text, word) => expect(wordOf(text)).toBe(word));

it.each([
  ['NO', {}],
  [' no. ', {}],
  ['No es mío', {}],
  ['NO RECONOZCO.', {}],
  ['NO 1', { choice: 1 }],
  ['no2', { choice: 2 }],
  ['«No», 3', { choice: 3 }],
  ['NO 12', undefined],
  ['No puedo pagar hoy', undefined],
  ['NOS', undefined],
  ['1', undefined],
  ['', undefined],
])('%j denies %j', (text, denial) => expect(denialOf(text)).toEqual(denial));
