/** How an operation is called. */
export interface Route {
  resource: string;
  name: string;
  method: string;
  path: string;
  body?: true;
  query?: true;
  /** Property of the answer that has the items of a page. */
  items?: string;
  /**
   * A second request has a second effect, whatever its Idempotency-Key: it is sent again only if the
   * API refused it with 429.
   */
  once?: true;
}

/** A route with the name of its operation. */
export interface Operation extends Route {
  id: string;
}
