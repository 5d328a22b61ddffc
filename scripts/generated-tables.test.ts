import { TABLES, withTable } from './generated-tables';

it.each(TABLES)('the table of $document is as npm run generate writes it', (table) => {
  const { text, written } = withTable(table);
  expect(text).toBe(written);
});
