import { schemaDrift } from '@fiado/shared/testing/schema-drift';
import { transactionsSchema } from '../src/db/schema';

it('the entities describe the columns of the migrations', async () => {
  expect(await schemaDrift(transactionsSchema)).toEqual([]);
});
