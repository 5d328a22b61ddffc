/** Neither a letter nor a digit, of any script. */
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** Accents and the like, once they are apart from their letters. */
const MARKS = /\p{M}+/gu;

/**
 * The words of names as people search them: in small letters, without accents, each once. ‘ABARROTES
 * Núñez’ and ‘abarrotes nunez’ have the same.
 */
export function nameWords(...names: string[]): string[] {
  const plain = names.join(' ').normalize('NFKD').replace(MARKS, '').toLowerCase();
  return [...new Set(plain.split(BETWEEN_WORDS).filter((word) => word !== ''))];
}
