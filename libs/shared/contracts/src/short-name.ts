/** Longest name of a lender or a wholesaler in an SMS and on a page. */
export const MAX_SHORT_NAME = 40;

/** Words that no name ends with, and what stands between words. */
const LOOSE_END = /(?:[\s,;.-]+(?:de|del|la|las|el|los|y|e|a))*[\s,;-]*$/iu;

/** A name cut at a word; a single long word is cut where it must be. */
export function shortName(full: string, maxLength = MAX_SHORT_NAME): string {
  const name = full.replace(/\s+/g, ' ').trim();
  if (name.length <= maxLength) return name;
  const cut = name.slice(0, maxLength + 1);
  const end = cut.lastIndexOf(' ');
  return end <= 0 ? name.slice(0, maxLength) : cut.slice(0, end).replace(LOOSE_END, '');
}
