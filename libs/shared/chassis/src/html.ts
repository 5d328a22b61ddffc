/** A piece of HTML in which everything that came from outside is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a template takes; `false` and `undefined` are nothing, so that a condition can stand before a piece. */
export type HtmlValue = string | Html | false | undefined | readonly HtmlValue[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Tag of a template: a string among its values is escaped, for text and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const written = values.map((value, i) => `${textOf(value)}${parts[i + 1]}`);
  return new Html(`${parts[0]}${written.join('')}`);
}

export const NOTHING = new Html('');

function textOf(value: HtmlValue): string {
  if (value === false || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value !== 'string') return value.map(textOf).join('');
  return value.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}
