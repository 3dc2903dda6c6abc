// A JSON-RPC line made again from the parts a tool kept: key order as SDKs write it, every value token
// by token as it stands in the file.

interface RpcParts {
  /** Each as JSON; absent: the message has none. */
  readonly id?: string | undefined;
  readonly method?: string | undefined;
  readonly params?: string | undefined;
  readonly result?: string | undefined;
  readonly error?: string | undefined;
}

export function rpcLine({ id, method, params, result, error }: RpcParts): string {
  const fields = [
    '"jsonrpc":"2.0"',
    id === undefined ? '' : `"id":${id}`,
    method === undefined ? '' : `"method":${JSON.stringify(method)}`,
    params === undefined ? '' : `"params":${params}`,
    result === undefined ? '' : `"result":${result}`,
    error === undefined ? '' : `"error":${error}`,
  ];
  return `{${fields.filter((field) => field !== '').join(',')}}`;
}
