import { wordOf } from './words.rules';

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
