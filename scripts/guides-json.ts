import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { repositoryRoot, version } from './openapi-json';

/**
 * The guides for integrators in one document, as `/docs` shows them: Scalar renders the description of a
 * document, and lists its headings. A link to another guide becomes one to its heading, of any other file the
 * text remains.
 */
export function guidesJson(): string {
  const folder = resolve(repositoryRoot(), 'docs/guides');
  const list = readFileSync(`${folder}/README.md`, 'utf8').split('For the lender')[0] ?? '';
  const names = [...list.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name = '']) => name);
  const guides = new Map(
    names.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')] as const),
  );
  const description = [...guides.values()]
    .join('\n')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)([^)#]+)[^)]*\)/g, (_, text: string, file: string) => {
      const title = /^# (.+)/.exec(guides.get(file) ?? '')?.[1];
      return title === undefined ? text : `[${text}](#guides/description/${slugOf(title)})`;
    });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Guides', version: version(), description },
    paths: {},
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** As Scalar names a heading: as GitHub does, without punctuation. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
