import type { EventOwnerKind } from '@fiado/shared/contracts/events';
import type { Context } from '../context';
import { switchEvents } from '../steps/switch-events';

export interface ChangeEventSettings {
  owner: { kind: EventOwnerKind; id: string };
  enabled: boolean;
}

/**
 * Switches the events of a wholesaler or payment provider on or off.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function changeEventSettings(
  context: Pick<Context, 'db' | 'senders'>,
  { owner, enabled }: ChangeEventSettings,
): Promise<{ enabled: boolean }> {
  await switchEvents(context, owner, enabled);
  return { enabled };
}
