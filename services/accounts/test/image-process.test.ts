import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { ImageProcess } from '../src/documents/image-cleaner';
import { bomb, picture } from './support/onboarding';

/** 4,000 × 4,000 pixels of 8 bytes: 122 MB, just below what the header lets pass. */
const LARGEST_SIDE = 4_000;

/** The process takes its parent's options. */
if (!process.execArgv.includes('fiado-src')) process.execArgv.push(...RUN_SOURCES);

describe('an image process', () => {
  const images = new ImageProcess();
  const largest = bomb(LARGEST_SIDE);

  afterAll(() => images.close());

  it('decodes the largest image that the header lets pass', async () => {
    expect(await images.clean(largest)).toMatchObject({
      image: { width: LARGEST_SIDE },
    });
  });

  it('that ends during an image refuses this one, and the next gets a new process', async () => {
    const small = await picture('jpeg', { width: 20, height: 10 }).toBuffer();
    expect(await images.clean(small)).toMatchObject({ image: { width: 20, height: 10 } });
    const pending = images.clean(largest);
    await images.close();
    expect(await pending).toEqual({ problem: 'the process ended' });
    expect(await images.clean(small)).toMatchObject({ image: { width: 20, height: 10 } });
  });
});
