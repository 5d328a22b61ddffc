/** GSM 03.38's basic alphabet without its line breaks: 160 of these fit into one SMS. */
const GSM7 = new Set(
  '@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
    'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/**
 * The text in GSM-7: á í ó ú lose their accent, characters without an equivalent are dropped, and
 * repeated spaces are merged.
 */
export function toGsm7(text: string): string {
  return Array.from(text.normalize('NFKC').replace(/\s+/g, ' '))
    .map((character) => {
      if (GSM7.has(character)) return character;
      const letter = character.normalize('NFD').charAt(0);
      return GSM7.has(letter) ? letter : '';
    })
    .join('')
    .replace(/ +/g, ' ')
    .trim();
}
