/**
 * Where class-transformer keeps what `@Type` and `@Transform` declare; it publishes the file without
 * its types.
 */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(
      target: unknown,
      propertyName: string,
    ): { typeFunction: () => new () => object } | undefined;
    findTransformMetadatas(
      target: unknown,
      propertyName: string,
      transformationType: number,
    ): Array<{ transformFn: (params: { value: unknown; key: string; obj: object }) => unknown }>;
  };
}
