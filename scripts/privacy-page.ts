import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PERSONAL_DATA as accounts } from '@fiado/accounts/db/personal-data';
import {
  CHASSIS_PERSONAL_DATA,
  DATA_CLASSES,
  personalColumns,
  type DataClassName,
  type PersonalData,
  type PersonalTable,
} from '@fiado/chassis/db/personal-data';
import { PERSONAL_DATA as notifier } from '@fiado/notifier/db/personal-data';
import { PERSONAL_DATA as payments } from '@fiado/payments/db/personal-data';
import { PERSONAL_DATA as transactions } from '@fiado/transactions/db/personal-data';

export const PRIVACY_PAGE = 'docs/privacy.md';

const BEGIN = '<!-- personal-data: `npm run generate` writes these tables -->';
const END = '<!-- /personal-data -->';

const SECTIONS: Record<string, PersonalData> = {
  'Each service': CHASSIS_PERSONAL_DATA,
  accounts,
  transactions,
  payments,
  notifier,
};

/** The page with the lists of the services between its marks. @throws Error when it has none */
export function withPersonalData(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error(`The document lacks ${BEGIN}`);
  const tables = Object.entries(SECTIONS).map(([title, data]) => section(title, data));
  return [`${before}${BEGIN}`, classTable(), ...tables, `${END}${after}`].join('\n\n');
}

function classTable(): string {
  const rows = Object.values(DATA_CLASSES).map(({ title, why }) => `| ${title} | ${why} |`);
  return ['| class | why it is kept |', '| --- | --- |', ...rows].join('\n');
}

function section(title: string, data: PersonalData): string {
  const columns = personalColumns(data);
  const isShown = ({ table }: PersonalTable): boolean =>
    data === CHASSIS_PERSONAL_DATA ||
    CHASSIS_PERSONAL_DATA.tables.every((common) => common.table !== table);
  const rows = data.tables.filter(isShown).map(({ table, what, kept }) => {
    const own = columns.filter((column) => column.table === table);
    const ofClass = (name: DataClassName): string => {
      const names = own.filter((column) => column.class === name).map(({ column }) => column);
      return `${DATA_CLASSES[name].title}: ${names.map((column) => `\`${column}\``).join(', ')}`;
    };
    const classes = [...new Set(own.map((column) => column.class))].map(ofClass);
    return `| \`${table}\` | ${what} | ${classes.join('; ')} | ${kept} |`;
  });
  return [
    `### ${title}`,
    '',
    '| table | what | columns by class | kept |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function main(): void {
  const path = resolve(__dirname, '../..', PRIVACY_PAGE);
  writeFileSync(path, withPersonalData(readFileSync(path, 'utf8')));
}

if (require.main === module) main();
