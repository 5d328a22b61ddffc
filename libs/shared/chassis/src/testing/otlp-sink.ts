import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { parse } from 'protobufjs';
import { startStandIn, type StandIn } from './stand-in';

/** The part of opentelemetry/proto/collector/trace/v1 that tests look at. */
const PROTO = `
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated Attribute attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Attribute { string key = 1; Value value = 2; }
  message Value {
    oneof value { string text = 1; bool flag = 2; int64 whole = 3; double number = 4; }
  }
  message Event { string name = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    repeated Attribute attributes = 9;
    repeated Event events = 11;
  }`;
const requestType = parse(PROTO).root.lookupType('Request');

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Request {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: Buffer;
        spanId: Buffer;
        traceState: string;
        parentSpanId: Buffer;
        name: string;
        attributes: Attribute[];
        events: object[];
      }[];
    }[];
  }[];
}

/** A span as a collector receives it; ids are in hexadecimal. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  traceState: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  attributes: Record<string, unknown>;
  /** Such as recorded exceptions. */
  events: number;
}

/** A collector of traces: it takes OTLP over HTTP, in protobuf. */
export interface OtlpSink extends StandIn {
  spans: ReceivedSpan[];
  /** Status of the answers from now on; the spans of others than 200 are not received. */
  status: number;
  /** Headers of the last request. */
  readonly headers: IncomingHttpHeaders;
  /** Requests that have an answer. */
  readonly answered: number;
  /** Requests that wait for one. */
  readonly unanswered: number;
  /** From now on it reads requests and never answers them. */
  hold(): void;
  /** Answers the requests that wait, and all further ones at once. */
  release(): void;
}

/** Starts a collector on a free port. */
export async function startOtlpSink(): Promise<OtlpSink> {
  const waiting = new Set<ServerResponse>();
  let holds = false;
  let answered = 0;
  let headers: IncomingHttpHeaders = {};
  const spans: ReceivedSpan[] = [];
  const answer = (res: ServerResponse): void => {
    answered += 1;
    res.writeHead(sink.status).end();
  };
  const server = await startStandIn((request, res) => {
    if (request.path !== '/v1/traces') throw new Error(`A collector has no ${request.path}`);
    headers = request.headers;
    if (sink.status === 200) spans.push(...spansOf(request.bytes));
    waiting.add(res);
    res.once('close', () => waiting.delete(res));
    if (!holds) answer(res);
  });
  const sink: OtlpSink = {
    ...server,
    spans,
    status: 200,
    get headers() {
      return headers;
    },
    get answered() {
      return answered;
    },
    get unanswered() {
      return waiting.size;
    },
    hold: () => {
      holds = true;
    },
    release: () => {
      holds = false;
      for (const res of waiting) answer(res);
    },
  };
  return sink;
}

function spansOf(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = requestType.toObject(requestType.decode(body), {
    bytes: Buffer,
    longs: Number,
    arrays: true,
    defaults: true,
  }) as Request;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map(({ traceId, spanId, parentSpanId, attributes, events, ...span }) => ({
        ...span,
        service,
        traceId: traceId.toString('hex'),
        spanId: spanId.toString('hex'),
        parentSpanId: parentSpanId.toString('hex'),
        attributes: valuesOf(attributes),
        events: events.length,
      })),
    );
  });
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
