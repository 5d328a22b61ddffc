import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addedTotals, NO_TOTALS, type PeopleFile, peopleWriter } from '../src/exports/people-file';

const SOFFICE = ['soffice', 'libreoffice'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);
const isInstalled = SOFFICE !== undefined;
const describeInLibreOffice = isInstalled ? describe : describe.skip;

/** Commas, quotes, UTF-8, from the first line, and dates recognized as in Excel. */
const AS_IN_EXCEL = '--infilter=CSV:44,34,76,1,,0,false,true';

const FILE: PeopleFile = {
  name: 'pedidos',
  columns: [
    { field: 'key', heading: 'Cliente' },
    { field: 'name', heading: 'Tienda' },
    { field: 'at', heading: 'Fecha', kind: 'time' },
    { field: 'day', heading: 'Vence', kind: 'day' },
    { field: 'amount', heading: 'Total', kind: 'amount' },
  ],
};
const ROWS = [
  { key: '007', name: 'Abarrotes Núñez, S.A.', amount: 1234.5 },
  { key: '=1+1', name: '@SUM(A1:A9)', amount: -0.1 },
  { key: '830274915602', name: '1-2', amount: 0.2 },
  { key: '4711', name: '"Lupita"', amount: 9_999_999.99 },
].map((row) => ({ ...row, at: new Date('2026-11-23T19:52:00Z'), day: '2026-12-07' }));

/** A cell of a flat OpenDocument file. */
interface Cell {
  type: string;
  /** Of a number or a date. */
  value: string;
  text: string;
}

describeInLibreOffice(
  `a file for people in LibreOffice${isInstalled ? '' : ', which is not installed here'}`,
  () => {
    let folder: string;
    let document: string;
    let rows: Cell[][];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'fiado-people-'));
      const writer = peopleWriter(FILE, 'America/Mexico_City');
      const end = writer.end(addedTotals(NO_TOTALS, FILE, ROWS), [['Mayorista', 'Todos']]);
      const file = join(folder, 'pedidos.csv');
      await writeFile(file, `${writer.beginning()}${writer.rows(ROWS)}${end}`);
      const profile = `-env:UserInstallation=file://${folder}/profile`;
      const target = ['--convert-to', 'fods', '--outdir', folder, file];
      execFileSync(SOFFICE ?? '', [profile, '--headless', AS_IN_EXCEL, ...target]);
      document = await readFile(join(folder, 'pedidos.fods'), 'utf8');
      rows = [...document.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(
        ([, row = '']) => cellsOf(row),
      );
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('has amounts, days and times that are no texts, and their sum', () => {
      const amounts = rows.slice(1, 5).map((row) => row[4]);
      expect(amounts.map((cell) => cell?.type)).toEqual(Array(4).fill('float'));
      const sum = amounts.reduce((before, cell) => before + Number(cell?.value), 0);
      const total = rows.find(([label]) => label?.text === 'Total');
      expect([total?.[4]?.type, Number(total?.[4]?.value)]).toEqual(['float', 10_001_234.59]);
      expect(sum).toBeCloseTo(10_001_234.59, 6);
      expect(rows[1]?.slice(2, 4)).toMatchObject([
        { type: 'date', value: '2026-11-23T13:52:00' },
        { type: 'date', value: '2026-12-07' },
      ]);
    });

    it('keeps leading zeros, long references and accents, and calculates nothing', () => {
      expect(document).not.toContain('table:formula');
      expect(rows.slice(1, 5).map(([key, name]) => [key?.text, name?.text])).toEqual([
        ["'007", 'Abarrotes Núñez, S.A.'],
        ["'=1+1", "'@SUM(A1:A9)"],
        ["'830274915602", "'1-2"],
        ['4711', '"Lupita"'],
      ]);
    });
  },
);

function cellsOf(row: string): Cell[] {
  return [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
    ([, attributes = '', content = '']) => {
      const of = (name: string): string =>
        new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
      const text = (/<text:p>(.*?)<\/text:p>/s.exec(content)?.[1] ?? '').replaceAll(/<[^>]*>/g, '');
      const cell = {
        type: of('office:value-type'),
        value: of('office:date-value') || of('office:value'),
        text: text.replaceAll('&apos;', "'").replaceAll('&quot;', '"'),
      };
      const repeated = Math.min(Number(of('table:number-columns-repeated') || 1), 9);
      return Array.from({ length: repeated }, () => cell);
    },
  );
}
