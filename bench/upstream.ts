import { createServer } from 'node:http';

/**
 * The baseline of forwarding: plain node:http that answers at once, so that the rest is the cost of
 * the gateway. It knows every credential, as accounts would.
 */
const ANSWER = JSON.stringify({ incrementalID: 1, transactionId: 'an-id', userPhoneNumber: '01' });
const CREDENTIAL = JSON.stringify({
  caller: { kind: 'wholesaler', id: 'a-wholesaler', name: 'bench', scopes: [], keyId: 'a-key' },
});

const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
  const answer = req.url === '/internal/credentials/check' ? CREDENTIAL : ANSWER;
  req.resume();
  req.on('end', () => {
    res.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer),
    });
    res.end(answer);
  });
});
process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.argv[2]), '127.0.0.1');
