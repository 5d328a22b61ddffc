import { forAllTests } from '../../../test/support/for-all-tests';
import { ImageProcess } from '../src/documents/image-cleaner';
import { startAccounts } from './support/accounts';
import { bomb, picture } from './support/onboarding';

/** 4,000 × 4,000 pixels of 8 bytes: 122 MB, just below what the header lets pass. */
const LARGEST_SIDE = 4_000;

describe('an image process', () => {
  const accounts = forAllTests(startAccounts);
  let images: ImageProcess;

  beforeAll(() => {
    images = accounts.context.imageProcess;
  });

  it('decodes the largest image that the header lets pass', async () => {
    expect(await images.clean(bomb(LARGEST_SIDE))).toMatchObject({
      image: { width: LARGEST_SIDE },
    });
  });

  it('that ends during an image refuses this one, and the next gets a new process', async () => {
    const small = await picture('jpeg', { width: 20, height: 10 }).toBuffer();
    expect(await images.clean(small)).toMatchObject({ image: { width: 20, height: 10 } });
    const pending = images.clean(bomb(LARGEST_SIDE));
    await images.close();
    expect(await pending).toEqual({ problem: 'the process ended' });
    expect(await images.clean(small)).toMatchObject({ image: { width: 20, height: 10 } });
  });
});
