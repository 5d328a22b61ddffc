import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { MAX_IMAGE_PIXELS } from '../domain/image';
import { READY, type CleanAnswer, type CleanImage } from './image-process-messages';

/** Reads well at a quarter of the size of the best. */
const JPEG_QUALITY = 85;
/** Longest work on one image; sharp takes whole seconds. */
const TIMEOUT_SECONDS = 10;
/** The largest images that the header lets pass take 300 MB with the process itself. */
const MAX_RSS_BYTES = 400 * 1024 * 1024;
/** The memory grows by some 100 MB a second. */
const LOOK_AT_MEMORY_MS = 50;
/** Credential checks of the service come first. */
const LOW_PRIORITY = 10;

/** The program of an image process: cleans each image that its parent sends. */
function main(): void {
  setPriority(LOW_PRIORITY);
  bePreferredByTheOomKiller();
  // Images never repeat, and one core is what the time limits count on.
  sharp.cache(false);
  sharp.concurrency(1);
  // No other format that libvips could read.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

  // The parent ends its requests after a signal to the whole group, and then this process.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', (bytes: Uint8Array) => void answer(Buffer.from(bytes)));
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_RSS_BYTES) process.kill(process.pid, 'SIGKILL');
  }, LOOK_AT_MEMORY_MS);
  process.send?.(READY);
}

async function answer(bytes: Buffer): Promise<void> {
  let result: CleanAnswer;
  try {
    result = { image: await clean(bytes) };
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : 'unknown' };
  }
  process.send?.(result);
}

async function clean(bytes: Buffer): Promise<CleanImage> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** In a container without memory Linux ends this process and not the service. */
function bePreferredByTheOomKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system.
  }
}

main();
