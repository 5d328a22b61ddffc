/** Where class-transformer keeps what `@Type` declares; it publishes the file without its types. */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(
      target: unknown,
      propertyName: string,
    ): { typeFunction: () => new () => object } | undefined;
  };
}
