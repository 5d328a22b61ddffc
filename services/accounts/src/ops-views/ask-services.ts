import type { Foundation } from '@fiado/chassis/service';

/** The services whose data the ops pages show. */
export type AskedService = 'transactions' | 'payments' | 'notifier';

/**
 * The answers of several services. One that does not answer is missing, and the others are used:
 * half of an answer helps ops during an outage.
 */
export async function answersOf<Answer>(
  { log }: Pick<Foundation, 'log'>,
  asked: Partial<Record<AskedService, Promise<Answer>>>,
): Promise<{
  answers: { service: AskedService; answer: Answer }[];
  missing: AskedService[];
}> {
  const answers: { service: AskedService; answer: Answer }[] = [];
  const missing: AskedService[] = [];
  await Promise.all(
    (Object.keys(asked) as AskedService[]).map(async (service) => {
      try {
        answers.push({ service, answer: (await asked[service]) as Answer });
      } catch (error) {
        log.warn({ err: error, neighbour: service }, 'a service is missing in an answer to ops');
        missing.push(service);
      }
    }),
  );
  return { answers, missing: missing.sort() };
}
