/** A piece of HTML in which everything that came from outside is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | Html | Html[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Tag of a template: a string among its values is escaped, for text and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const written = values.map((value, i) => `${textOf(value)}${parts[i + 1]}`);
  return new Html(`${parts[0]}${written.join('')}`);
}

export const NOTHING = new Html('');

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}
