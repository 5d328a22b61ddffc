import type { Person } from './running-console';

/** A browser without scripts at one page of the console: it counts each link that is followed and each form sent. */
export interface Walk {
  /** Links followed and forms sent so far. */
  clicks: number;
  /** What the page shows, without tags, white space as one. */
  readonly words: string;
  readonly path: string;
  /** Follows the first link of the page whose text or label begins so. */
  follow(text: string): Promise<void>;
  /** Opens the summary that begins so: what it hides is there then. */
  unfold(text: string): void;
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
  const walk: Walk = {
    clicks: 0,
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
      walk.clicks += 1;
      const href = attributeOf(found[1] ?? '', 'href');
      await open((href.startsWith('#') ? path : href).split('#')[0] ?? '');
    },
    unfold(name) {
      const summaries = [...text.matchAll(/<summary[^>]*>([^]*?)<\/summary\s*>/g)];
      const found = summaries.some(([, content = '']) => wordsOf(content).startsWith(name));
      if (!found) throw new Error(`No summary ${name} on ${path}: ${wordsOf(text)}`);
      walk.clicks += 1;
    },
    async send(button, typed = {}) {
      const forms = [...text.matchAll(/<form\s([^>]*)>([^]*?)<\/form>/g)];
      const found = forms.find(([, , content = '']) => {
        const [, name = ''] = /<button[^>]*>([^]*?)<\/button\s*>/.exec(content) ?? [];
        return wordsOf(name).startsWith(button);
      });
      if (found === undefined) throw new Error(`No form ${button} on ${path}: ${wordsOf(text)}`);
      walk.clicks += 1;
      const [, attributes = '', content = ''] = found;
      const fields = { ...valuesOf(content), ...typed };
      const answer = await person.post(attributeOf(attributes, 'action'), fields);
      if (answer.location !== null) return open(answer.location);
      [path, text] = [attributeOf(attributes, 'action'), answer.text];
    },
  };
  return walk;
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
