import { schemaDrift } from '@fiado/shared/testing/schema-drift';
import { notifierSchema } from '../src/db/schema';

it('the entities describe the columns of the migrations', async () => {
  expect(await schemaDrift(notifierSchema)).toEqual([]);
});
