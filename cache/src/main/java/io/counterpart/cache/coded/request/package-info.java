/**
 * Clients' reads and changes of objects, one at a time for each key; expiry; clearing of all
 * objects. The meaning of clients' commands must not be here.
 */
@NullMarked
package io.counterpart.cache.coded.request;

import org.jspecify.annotations.NullMarked;
