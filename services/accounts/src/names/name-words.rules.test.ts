import { nameWords } from './name-words.rules';

it.each([
  [['ABARROTES  Núñez'], ['abarrotes', 'nunez']],
  // The accents as characters of their own.
  [['Lucía'], ['lucia']],
  [
    ['Tienda “La 5.ª”', 'José-Luis', 'de la Cruz'],
    ['tienda', 'la', '5', 'a', 'jose', 'luis', 'de', 'cruz'],
  ],
  [['  ', '¡!'], []],
])('%j has the words %j', (names, words) => {
  expect(nameWords(...names)).toEqual(words);
});
