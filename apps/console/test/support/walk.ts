import type { Person } from './running-console';

/** A browser without scripts at one page of the console. */
export interface Walk {
  /** What the page shows, without tags, white space as one. */
  readonly words: string;
  readonly path: string;
  /** Follows the first link of the page whose text or label begins so. */
  follow(text: string): Promise<void>;
  /** Sends the form of the page whose button begins so, with what is typed; a choice keeps its first option. */
  send(button: string, typed?: Record<string, string>): Promise<void>;
}

/** Begins at a page, which is there already. */
export async function walkFrom(person: Person, start: string): Promise<Walk> {
  let text = '';
  let path = start;
  const open = async (address: string): Promise<void> => {
    const answer = await person.get(address);
    if (answer.location !== null) return open(answer.location);
    expect([address, answer.status]).toEqual([address, 200]);
    [path, text] = [address, answer.text];
  };
  await open(start);
  return {
    get words() {
      return wordsOf(text);
    },
    get path() {
      return path;
    },
    async follow(name) {
      const links = [...text.matchAll(/<a\s([^>]*)>([^]*?)<\/a\s*>/g)];
      const found = links.find(([, attributes = '', content = '']) =>
        [attributeOf(attributes, 'aria-label'), wordsOf(content)].some((one) =>
          one.startsWith(name),
        ),
      );
      if (found === undefined) throw new Error(`No link ${name} on ${path}: ${wordsOf(text)}`);
      const href = attributeOf(found[1] ?? '', 'href');
      await open((href.startsWith('#') ? path : href).split('#')[0] ?? '');
    },
    async send(button, typed = {}) {
      const forms = [...text.matchAll(/<form\s([^>]*)>([^]*?)<\/form>/g)];
      const found = forms.find(([, , content = '']) => {
        const [, name = ''] = /<button[^>]*>([^]*?)<\/button\s*>/.exec(content) ?? [];
        return wordsOf(name).startsWith(button);
      });
      if (found === undefined) throw new Error(`No form ${button} on ${path}: ${wordsOf(text)}`);
      const [, attributes = '', content = ''] = found;
      const fields = { ...valuesOf(content), ...typed };
      const answer = await person.post(attributeOf(attributes, 'action'), fields);
      if (answer.location !== null) return open(answer.location);
      [path, text] = [attributeOf(attributes, 'action'), answer.text];
    },
  };
}

function attributeOf(attributes: string, name: string): string {
  const [, value = ''] = new RegExp(`${name}="([^"]*)"`).exec(attributes) ?? [];
  return value.replaceAll('&amp;', '&');
}

/** What a browser would send of a form that nobody touched. */
function valuesOf(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input([^>]*)>/g)].map(([, attributes = '']) => [
    attributeOf(attributes, 'name'),
    attributeOf(attributes, 'value'),
  ]);
  const choices = [...form.matchAll(/<select([^>]*)>([^]*?)<\/select>/g)].map(
    ([, attributes = '', options = '']) => {
      const chosen = /<option value="([^"]*)"\s*selected/.exec(options);
      const first = /<option value="([^"]*)"/.exec(options);
      return [attributeOf(attributes, 'name'), (chosen ?? first)?.[1] ?? ''];
    },
  );
  return Object.fromEntries([...inputs, ...choices].filter(([name]) => name !== 'csrf'));
}

function wordsOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
