import { IsArray, IsString } from './class-validator';
import { defineCall } from './define';

export class ActorNamesQuestion {
  /** Ids as callers have them: of people, of keys, and `ops` of the first admin's key. */
  @IsArray()
  @IsString({ each: true })
  actorIds: string[];
}

export interface ActorNamesAnswer {
  /** By id, of people and named keys. */
  names: Record<string, string>;
}

/** For accounts: the names of people and ops keys that decided on something elsewhere. */
export const actorNamesCall = defineCall<ActorNamesAnswer>()(
  '/internal/actor-names',
  ActorNamesQuestion,
);
