const SIX_DIGITS = /^\d{6}$/;
/** Longer than codes and passes. */
const MAX_TEXT_LENGTH = 100;

/** A text of a form; empty when it is missing, repeated or longer than `maxLength`. */
export function textIn(form: unknown, name: string, maxLength = MAX_TEXT_LENGTH): string {
  const value = (Object(form) as Record<string, unknown>)[name];
  return typeof value === 'string' && value.length <= maxLength ? value : '';
}

/** The six digits of the form, however they were grouped; undefined when they are not six. */
export function codeIn(form: unknown): string | undefined {
  const digits = textIn(form, 'code').replace(/[\s-]/g, '');
  return SIX_DIGITS.test(digits) ? digits : undefined;
}
