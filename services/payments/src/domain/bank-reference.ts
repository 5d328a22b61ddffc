/** What makes two bank references the same: spaces, hyphens and case are written differently. */
export function bankReferenceKey(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}
