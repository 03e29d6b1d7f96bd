package io.counterpart.cache.protocol;

/**
 * A visitor of {@link Request}, one method for each kind; {@link Request} says who releases values.
 */
public interface RequestHandler {

  void get(Request.Get request);

  void store(Request.Store request);

  void delete(Request.Delete request);

  void arithmetic(Request.Arithmetic request);

  void touch(Request.Touch request);

  void metaGet(Request.MetaGet request);

  void metaSet(Request.MetaSet request);

  void metaDelete(Request.MetaDelete request);

  void metaArithmetic(Request.MetaArithmetic request);

  void metaDebug(Request.MetaDebug request);

  void flushAll(Request.FlushAll request);

  void stats(Request.Stats request);

  void verbosity(Request.Verbosity request);

  void plain(Request.Plain request);

  void refused(Request.Refused request);
}
