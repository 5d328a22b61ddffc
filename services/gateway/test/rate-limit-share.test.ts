import { startTestGateway, KEY, type TestGateway } from './support/test-gateway';

describe('of several gateways, one with a share of the limits', () => {
  let member: TestGateway;
  const statuses = async (count: number, key: (at: number) => string) => {
    const calls = Array.from({ length: count }, (_, at) =>
      member.call('GET', '/v1/transaction', { key: key(at) }),
    );
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  afterEach(() => member.stop());

  it('lets that part of the rate through, and shows it', async () => {
    // A third of 20 requests a second in windows of two: 13.
    member = await startTestGateway({
      config: { RATE_LIMIT_PER_SECOND: '20', RATE_LIMIT_SHARE: '0.334' },
    });
    const { headers } = await member.call('GET', '/v1/transaction');

    const answers = await statuses(19, () => KEY);

    expect(headers.get('ratelimit-limit')).toBe('13');
    expect(answers.filter((status) => status === 200)).toHaveLength(12);
  });

  it('lets one request of a window through where its share is less', async () => {
    member = await startTestGateway({
      config: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_SHARE: '0.001' },
    });

    expect((await statuses(3, () => KEY)).toSorted((one, other) => one - other)).toEqual([
      200, 429, 429,
    ]);
  });

  it('lets that part of wrong credentials through', async () => {
    member = await startTestGateway({ config: { RATE_LIMIT_SHARE: '0.1' } });

    const answers = await statuses(30, (at) => `wrong-${at}`);

    expect(answers.filter((status) => status === 401)).toHaveLength(20);
  });
});
