import { schemaDrift } from '@fiado/shared/testing/schema-drift';
import { notifierSchema } from '../src/db/schema';

it('the entities say of the columns what the migrations made', async () => {
  expect(await schemaDrift(notifierSchema)).toEqual([]);
});
