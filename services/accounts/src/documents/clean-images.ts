import '@fiado/chassis/process-setup';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { MAX_IMAGE_PIXELS } from './image.rules';

/** An image that is only a picture: a JPEG without metadata, turned the right way up. */
export interface CleanImage {
  bytes: Buffer;
  width: number;
  height: number;
  /** See MIN_SHARPNESS. */
  sharpness: number;
}

/** The answer of an image process: the clean image, or the reason why there is none. */
export type CleanAnswer = { image: CleanImage } | { problem: string };

/** Messages of an image process: the first one, and one for each image. */
export type ImageMessage = 'ready' | CleanAnswer;

/** Readable at a quarter of the size of the best quality. */
const JPEG_QUALITY = 85;
/** Pixels. Edges of a large picture are softer than those of the same one made small. */
const SHARPNESS_WIDTH = 800;
/** Longest work on one image; sharp takes whole seconds. */
const TIMEOUT_SECONDS = 10;
/** Memory limit. The largest accepted images need 300 MB, including the process itself. */
const MAX_RSS_BYTES = 400 * 1024 * 1024;
/** The memory grows by some 100 MB a second. */
const LOOK_AT_MEMORY_MS = 50;
/** Lower priority than the service's credential checks. */
const LOW_PRIORITY = 10;

/** The program of an image process: cleans each image that its parent sends. */
function main(): void {
  setPriority(LOW_PRIORITY);
  bePreferredByTheOomKiller();
  // Images never repeat, and the time limits assume one core.
  sharp.cache(false);
  sharp.concurrency(1);
  // Disables all other formats of libvips.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

  // After a signal to the process group, the parent finishes its requests and then ends this
  // process.
  process.on('SIGINT', () => {}).on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit());
  process.on('message', (bytes: Uint8Array) => void answer(Buffer.from(bytes)));
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_RSS_BYTES) process.kill(process.pid, 'SIGKILL');
  }, LOOK_AT_MEMORY_MS);
  send('ready');
}

async function answer(bytes: Buffer): Promise<void> {
  let result: CleanAnswer;
  try {
    result = { image: await clean(bytes) };
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : 'unknown' };
  }
  send(result);
}

function send(message: ImageMessage): void {
  process.send?.(message);
}

async function clean(bytes: Buffer): Promise<CleanImage> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { bytes: data, width, height, sharpness: await sharpnessOf(data) };
}

/** The standard deviation of a Laplacian of the picture in grey. */
async function sharpnessOf(jpeg: Buffer): Promise<number> {
  const { data, info } = await sharp(jpeg)
    .resize({ width: SHARPNESS_WIDTH, withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const { sharpness } = await sharp(data, { raw: { width, height, channels } }).stats();
  return sharpness;
}

/** If the container runs out of memory, Linux ends this process instead of the service. */
function bePreferredByTheOomKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system.
  }
}

main();
