import sharp from 'sharp';

/** A picture that no other test has. @param text stands in its metadata */
export function noiseJpeg({ width = 800, height = 600, text = '' } = {}): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const create = { width, height, channels: 3, background: '#888888', noise } as const;
  const image = sharp({ create });
  if (text !== '') image.withExif({ IFD0: { ImageDescription: text } });
  return image.jpeg().toBuffer();
}
