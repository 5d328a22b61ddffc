import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CHANGE_KINDS } from '@fiado/contracts/change-requests';

/** The documents that list what waits for a second person, between the two marks. */
export const CHANGE_KIND_DOCUMENTS = ['docs/security.md'] as const;

const BEGIN = '<!-- change-kinds: `npm run generate` writes this table -->';
const END = '<!-- /change-kinds -->';

/** A document with the table of CHANGE_KINDS between its marks. @throws Error when it has none */
export function withChangeKinds(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error(`The document lacks ${BEGIN}`);
  return `${before}${BEGIN}\n\n${changeKindTable()}\n\n${END}${after}`;
}

function changeKindTable(): string {
  const rows = Object.entries(CHANGE_KINDS).map(
    ([kind, { guards, approver }]) => `| ${guards} | \`${kind}\` | ${approver} |`,
  );
  return [
    '| waits for a second person | kind | who approves |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function main(): void {
  const root = resolve(__dirname, '../..');
  for (const document of CHANGE_KIND_DOCUMENTS) {
    const path = resolve(root, document);
    writeFileSync(path, withChangeKinds(readFileSync(path, 'utf8')));
  }
}

if (require.main === module) main();
