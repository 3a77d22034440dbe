/* Arrays in order. */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

/* qsort(); the array may be NULL if n is 0. */
#define SORT(array, n, compare)                                                \
	((n) > 0 ? qsort((array), (n), sizeof(*(array)), (compare)) : (void)0)

/*
 * The first place of n that does not come before what is searched: i is set to it,
 * and to each place that is_before, an expression, is asked about.
 *
 *	SORTED_FIND(i, n, at[i].name < name);
 */
#define SORTED_FIND(i, n, is_before)                                           \
	do {                                                                   \
		size_t low_ = 0, high_ = (n);                                  \
                                                                               \
		while (low_ < high_) {                                         \
			(i) = low_ + (high_ - low_) / 2;                       \
			if (is_before)                                         \
				low_ = (i) + 1;                                \
			else                                                   \
				high_ = (i);                                   \
		}                                                              \
		(i) = low_;                                                    \
	} while (0)

/* Makes room for one more element at place i of the vector (vec_room()). */
#define SORTED_INSERT(array, n, cap, i)                                        \
	do {                                                                   \
		vec_room(array, n, cap);                                       \
		memmove(&(array)[(i) + 1], &(array)[i],                        \
		    ((n)++ - (i)) * sizeof(*(array)));                         \
	} while (0)

/* Closes the gap of the element at place i. */
#define SORTED_REMOVE(array, n, i)                                             \
	memmove(&(array)[i], &(array)[(i) + 1],                                \
	    (--(n) - (i)) * sizeof(*(array)))

#endif
